import { Command } from 'commander';
import { backupCommand } from './cli/backup.js';
import { doctorCommand } from './cli/doctor.js';
import { keysCommand } from './cli/keys.js';
import { reportFailure } from './cli/failure.js';
import { quotaCommand } from './cli/quota.js';
import { sayCommand } from './cli/say.js';
import { serveCommand } from './cli/serve.js';
import { textCommand } from './cli/text.js';
import { tuneCommand } from './cli/tune.js';
import { voicesCommand } from './cli/voices.js';
import { programVersion } from './places.js';

const program = new Command('lantang')
  .description('Text to speech, as a service that a team can own.')
  .version(programVersion)
  .addCommand(serveCommand())
  .addCommand(sayCommand())
  .addCommand(textCommand())
  .addCommand(voicesCommand())
  .addCommand(tuneCommand())
  .addCommand(keysCommand())
  .addCommand(quotaCommand())
  .addCommand(backupCommand())
  .addCommand(doctorCommand())
  .showHelpAfterError('Run the command with --help to see what it takes.');

await program.parseAsync().catch(reportFailure);
