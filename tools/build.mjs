import { requireNode } from './node-version.mjs';
import { build, installPackages } from './prepare.mjs';

requireNode();
await installPackages();
await build();
