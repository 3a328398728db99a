import { destination, pino, type Logger } from 'pino';

/** The process's log: JSON lines on standard error, so that standard output stays free for audio and answers. */
export function openLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
}
