import '../styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followLinks } from '../shell/link-clicks.ts';
import { reloadForNewBuild } from '../shell/new-build.ts';
import { loadPreferences } from '../shell/preferences.ts';
import { PublicApp } from './app.tsx';
import { go } from './navigation.ts';
import { placeOfAddress } from './place.ts';

reloadForNewBuild();
loadPreferences();
followLinks(document, (address) => {
  if (placeOfAddress(address) === null) window.location.assign(address);
  else go(address);
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <PublicApp />
    </StrictMode>,
  );
}
