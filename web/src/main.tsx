import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './api/queries.ts';
import { makeRouter } from './router.tsx';
import { followLinks } from './shell/link-clicks.ts';
import { reloadForNewBuild } from './shell/new-build.ts';
import { loadPreferences } from './shell/preferences.ts';

reloadForNewBuild();
loadPreferences();

const queryClient = makeQueryClient();
const router = makeRouter(queryClient);

followLinks(document, (address) => {
  void router.navigate({ href: address });
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
