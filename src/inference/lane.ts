import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { LaneAnswer, LaneMessage, LaneOrder, LaneSetup, Shift, Work } from './lane-task.js';
import { Ticket } from './ticket.js';

const WORKER = fileURLToPath(new URL('./lane-worker.js', import.meta.url));

/** What a lane tells whoever gives it orders. */
export interface LaneEvents {
  message(message: LaneMessage): void;
  /** Its shift is over: it waits for `begin`. With the reason where its thread has failed; it then has a new one. */
  rested(failure?: Error): void;
  /** The engine has something to tell the operator. */
  noted(sentence: string): void;
}

/** An order for this lane alone. */
interface Asked {
  order: LaneOrder;
  resolve: (answer: LaneAnswer) => void;
  reject: (reason: Error) => void;
}

/** A worker thread bound to a device: a Piscina pool of one, which also replaces the thread should it die. */
export class Lane {
  readonly #asked = new Map<number, Asked>();
  #pool: Piscina<Shift, void> | undefined;
  #mailbox: MessagePort | undefined;
  /** The thread's end of it, until it has it. */
  #unsentMailbox: MessagePort | undefined;
  #asks = 0;
  #works = false;
  /** Its device has failed and has not come back. */
  lost = false;

  constructor(
    readonly setup: LaneSetup,
    private readonly events: LaneEvents,
  ) {
    this.#pool = this.#openPool();
  }

  /** In a shift. */
  get works(): boolean {
    return this.#works;
  }

  /** Ready for `begin`. */
  get isFree(): boolean {
    return !this.#works && !this.lost;
  }

  /** Starts a shift with an order that is this lane's. */
  begin(order: LaneOrder): void {
    this.#post(order);
    void this.#shift();
  }

  /** Lays an order into the mailbox of a lane that works, which may begin it. */
  offer(order: LaneOrder): void {
    if (this.#works) this.#post(order);
  }

  /** Has this lane do something. Rejects only when the thread itself fails. */
  ask(work: Work): Promise<LaneAnswer> {
    return new Promise((resolve, reject) => {
      // Negative: the numbers from 1 up are those of the orders that others give.
      const order: LaneOrder = { number: -++this.#asks, ticket: new Ticket().shared, work };
      this.#asked.set(order.number, { order, resolve, reject });
      this.#post(order);
      if (!this.#works) void this.#shift();
    });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  #openPool(): Piscina<Shift, void> {
    const pool = new Piscina<Shift, void>({
      filename: WORKER,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
      workerData: this.setup,
      recordTiming: false,
    });
    // A thread that cannot even start leaves its pool without one, and the shift waiting. The next one gets another.
    pool.on('error', () => {
      if (this.#pool === pool) this.#pool = undefined;
      void pool.destroy();
    });
    return pool;
  }

  async #shift(): Promise<void> {
    this.#works = true;
    const failure = await this.#work();
    // What the thread said before it stopped may still lie here.
    this.#readMailbox();
    if (failure) this.#startAfresh(failure);
    this.#works = false;
    // Something asked in the moment in which the thread found its mailbox empty lies there still.
    if (this.#asked.size > 0) void this.#shift();
    this.events.rested(failure);
  }

  async #work(): Promise<Error | undefined> {
    const mailbox = this.#unsentMailbox;
    this.#unsentMailbox = undefined;
    try {
      this.#pool ??= this.#openPool();
      await (mailbox ? this.#pool.run({ mailbox }, { transferList: [mailbox] }) : this.#pool.run({}));
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #post(order: LaneOrder): void {
    this.#mailbox ??= this.#openMailbox();
    this.#mailbox.postMessage(order);
  }

  #openMailbox(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (message: LaneMessage) => this.#receive(message));
    port1.once('close', () => this.#mailbox === port1 && (this.#mailbox = undefined));
    // A shift under way keeps the process alive, an open mailbox need not.
    port1.unref();
    this.#unsentMailbox = port2;
    return port1;
  }

  #readMailbox(): void {
    if (!this.#mailbox) return;
    for (let rest = receiveMessageOnPort(this.#mailbox); rest; rest = receiveMessageOnPort(this.#mailbox)) {
      this.#receive(rest.message as LaneMessage);
    }
  }

  #receive(message: LaneMessage): void {
    if ('answer' in message) for (const sentence of message.answer.notes) this.events.noted(sentence);
    const asked = this.#asked.get(message.order);
    if (!asked) return this.events.message(message);
    this.#asked.delete(message.order);
    if ('answer' in message) asked.resolve(message.answer);
  }

  /** The mailbox went with the thread. */
  #startAfresh(reason: Error): void {
    this.#mailbox?.close();
    this.#mailbox = undefined;
    this.#unsentMailbox?.close();
    this.#unsentMailbox = undefined;
    for (const { reject } of this.#asked.values()) reject(reason);
    this.#asked.clear();
  }
}
