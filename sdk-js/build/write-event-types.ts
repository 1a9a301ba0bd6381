import { writeFileSync } from 'node:fs';
import { eventTypesText } from './event-types.ts';

writeFileSync(new URL('../src/api/events.ts', import.meta.url), eventTypesText());
