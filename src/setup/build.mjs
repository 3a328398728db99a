// `npm run build`: sets the clone up and builds what changed.
import { runProgram } from './set-up-error.mjs';
import { setUp } from './set-up.mjs';

await runProgram(setUp);
