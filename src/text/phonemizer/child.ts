import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LantangError } from '../../errors.js';

interface Question {
  id: number;
  resolve: (phonemes: string[]) => void;
  reject: (reason: Error) => void;
}

interface Answer {
  id?: number | null;
  ready?: boolean;
  version?: string;
  phonemes?: string[];
  error?: { code: string; message: string };
}

const GRACE_MILLISECONDS = 1000;

/** The process is gone or stuck; the question may be asked again of another one. */
class ChildGone extends Error {
  override readonly name = 'ChildGone';
}

/** One phonemizer process. It is asked one question at a time; after any failure of its own it is dead for good. */
export class PhonemizerChild {
  /** Resolves with espeak-ng's version; rejects with `phonemizer_unavailable`. */
  readonly ready: Promise<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** The voice of the last question: asking for it again costs no switch. */
  voice: string | undefined;
  /** It has been ready once: an end is an accident, and another one will start. */
  wasReady = false;
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private question: Question | undefined;
  private nextId = 1;
  private rest = '';
  private onReady: ((answer: Answer) => void) | undefined;
  private failure: Error | undefined;

  /** `program` is the path of `lantang-phonemizer`, `library` what it opens with dlopen. */
  constructor(program: string, library: string | undefined) {
    this.process = spawn(program, library === undefined ? [] : ['--library', library], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.ready = new Promise((resolve, reject) => {
      this.onReady = ({ ready, version = '', error }) => {
        this.wasReady = ready === true;
        if (ready) resolve(version);
        else reject(unavailable(error?.message ?? 'It ended while starting.'));
      };
    });
    this.ready.catch(() => {});
    this.ended = new Promise((resolve) => this.process.once('close', () => resolve()));
    this.listen();
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get isAlive(): boolean {
    return this.failure === undefined;
  }

  /**
   * IPA of every clause. Throws `phonemizer_voice_unknown`, or ChildGone when the process has died or has not
   * answered within `milliseconds`; then it is killed.
   */
  async ask(voice: string, clauses: readonly string[], milliseconds: number): Promise<string[]> {
    if (this.failure) throw this.failure;
    const id = this.nextId++;
    this.voice = voice;
    const timer = setTimeout(() => this.fail(new ChildGone('The phonemizer does not answer.')), milliseconds);
    try {
      return await new Promise<string[]>((resolve, reject) => {
        this.question = { id, resolve, reject };
        this.process.stdin.write(`${JSON.stringify({ id, voice, clauses })}\n`);
      });
    } finally {
      clearTimeout(timer);
      this.question = undefined;
    }
  }

  /** Lets it end by itself, since its input is over; it is killed when it does not. */
  end(): void {
    this.failure ??= new ChildGone('The phonemizer was closed.');
    this.process.stdin.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), GRACE_MILLISECONDS);
    void this.ended.then(() => clearTimeout(timer));
  }

  private listen(): void {
    const { process } = this;
    process.stdout.setEncoding('utf8');
    process.stdout.on('data', (text: string) => this.take(text));
    process.stdin.on('error', () => {}); // EPIPE: its end is told by the events below.
    process.once('error', (error) =>
      this.fail(new ChildGone(`The phonemizer can't be started: ${error.message}`)),
    );
    process.once('close', () => this.fail(new ChildGone('The phonemizer has ended.')));
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.answer(line);
  }

  private answer(line: string): void {
    const answer = parseAnswer(line);
    if (!answer) return this.fail(new ChildGone('The phonemizer answers in another tongue.'));
    if (this.onReady) {
      this.onReady(answer);
      this.onReady = undefined;
      return;
    }
    if (answer.id !== this.question?.id) return;
    if (answer.phonemes) this.question?.resolve(answer.phonemes);
    else this.question?.reject(refusal(answer.error, this.voice));
  }

  private fail(failure: Error): void {
    if (this.failure && !this.question && !this.onReady) return;
    this.failure ??= failure;
    this.onReady?.({ error: { code: 'ended', message: failure.message } });
    this.onReady = undefined;
    this.question?.reject(failure);
    this.process.kill('SIGKILL');
  }
}

function parseAnswer(line: string): Answer | undefined {
  try {
    return JSON.parse(line) as Answer;
  } catch {
    return undefined;
  }
}

function unavailable(reason: string): LantangError {
  return new LantangError(
    'phonemizer_unavailable',
    `The phonemizer can't be started: ${reason} Is espeak-ng installed, and has the program been built?`,
  );
}

function refusal(error: Answer['error'], voice: string | undefined): Error {
  if (error?.code !== 'voice_unknown')
    return new ChildGone(error?.message ?? 'The phonemizer refused a request.');
  return new LantangError('phonemizer_voice_unknown', error.message, { context: { voice: voice ?? '' } });
}
