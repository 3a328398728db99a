/*
 * The file that each lane's thread loads. It keeps the voices it has used; the sessions behind them belong to the
 * process and are shared by all lanes of a device. It makes one synchronous native call at a time.
 */
import { workerData } from 'piscina';
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { manifestOn } from '../voices/manifest.js';
import {
  isDeviceLost,
  loadAddon,
  type AddonVoice,
  type Row,
  type RowAudio,
  type RowResult,
} from './binding.js';
import type {
  LaneAnswer,
  LaneMessage,
  LaneOrder,
  LaneSetup,
  LaneVoice,
  Shift,
  StreamWork,
} from './lane-task.js';
import { lowerPriority } from './priority.js';
import { secondsNow } from './shared-clock.js';
import { Ticket } from './ticket.js';

/**
 * On Linux a niceness is a thread's own, and the runtime's threads inherit it. A lane that computes all the time would
 * else make the main thread, which answers requests, wait for a turn on the processor.
 */
const LANE_NICENESS = 5;

const { libraryPath, device, lane, rowsPerRun, buckets } = workerData as LaneSetup;
const addon = loadAddon();
addon.openRuntime({ libraryPath });
if (device.provider === 'cpu' && process.platform === 'linux') lowerPriority(LANE_NICENESS);
const voices = new Map<string, AddonVoice>();
let mailbox: MessagePort | undefined;

/** Works until the mailbox is empty. The next order is taken before the last one is answered for. */
export default function workShift(shift: Shift): void {
  mailbox = shift.mailbox ?? mailbox;
  if (!mailbox) throw new Error('The lane has no mailbox: its thread was replaced.');
  for (let order = nextOrder(mailbox); order;) {
    const answer = carryOut(order, mailbox);
    // After a lost device somebody else may be able to do what lies here.
    const next = answer.results.some(isDeviceLost) ? undefined : nextOrder(mailbox);
    send(mailbox, { order: order.number, answer }, answer.results.filter(isAudio));
    order = next;
  }
}

/** The first order that is open, or this lane's. */
function nextOrder(port: MessagePort): LaneOrder | undefined {
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    const order = received.message as LaneOrder;
    if (new Ticket(order.ticket).begin(lane)) return order;
  }
  return undefined;
}

function carryOut(order: LaneOrder, port: MessagePort): LaneAnswer {
  const began = secondsNow();
  const results = resultsOf(order, port);
  const seconds = secondsNow() - began;
  const notes = [...voices.values()].flatMap((voice) => voice.takeNotes());
  if (results.some(isDeviceLost)) forgetAll();
  return { results, began, seconds, notes };
}

function resultsOf({ number, ticket, work }: LaneOrder, port: MessagePort): RowResult[] {
  switch (work.kind) {
    case 'batch':
      return speak(work.voice, work.rows);
    case 'warm':
      return work.row ? speak(work.voice, [work.row]) : failuresOf(() => (voiceOf(work.voice), []), 1);
    case 'stream':
      return failuresOf(() => [stream(number, new Ticket(ticket), work, port)], 1);
    case 'forget':
      forget(work.directory);
      return [];
    case 'release':
      // One that a device was lost under has nothing to give back; its next row finds that out.
      return failuresOf(() => (voices.forEach((voice) => voice.release()), []), 1);
  }
}

function speak(voice: LaneVoice, rows: Row[]): RowResult[] {
  return failuresOf(() => voiceOf(voice).synthesize(rows), rows.length);
}

/** What fails the whole call, a voice that cannot be loaded for one, fails every row of it. */
function failuresOf(work: () => RowResult[], rows: number): RowResult[] {
  try {
    return work();
  } catch (failure) {
    // An error's code would be lost on its way to the other thread.
    const { code = 'inference_failed', message } = failure as Error & { code?: string };
    return Array.from({ length: rows }, () => ({ error: { code, message } }));
  }
}

function stream(
  order: number,
  ticket: Ticket,
  { voice, row, ...windows }: StreamWork,
  port: MessagePort,
): RowAudio {
  const pieces = voiceOf(voice).stream(row, windows);
  try {
    for (let piece = pieces.next(); piece && !ticket.isCancelled; piece = pieces.next()) {
      send(port, { order, piece }, [{ samples: piece }]);
    }
    const durations = pieces.durations();
    return { samples: new Float32Array(0), ...(durations ? { durations } : {}) };
  } finally {
    pieces.close();
  }
}

/** Samples move to the other thread instead of being copied. */
function send(port: MessagePort, message: LaneMessage, audio: RowAudio[]): void {
  port.postMessage(
    message,
    audio.map(({ samples }) => samples.buffer as ArrayBuffer),
  );
}

const isAudio = (result: RowResult): result is RowAudio => 'samples' in result;

/**
 * Sessions are shared: a device that failed under another lane's row has taken this lane's voice with it. To find that
 * out by a row of this lane would cost it one of its tries, by no fault of its own.
 */
function isRetired(voice: AddonVoice): boolean {
  try {
    voice.info();
    return false;
  } catch {
    return true;
  }
}

function voiceOf({ directory, manifest }: LaneVoice): AddonVoice {
  let voice = voices.get(directory);
  if (voice && isRetired(voice)) {
    forget(directory);
    voice = undefined;
  }
  if (!voice) {
    const suited = manifestOn(device.provider, manifest, device.provider === 'cuda' ? device : {});
    const runs = { ...(rowsPerRun === undefined ? {} : { rowsPerRun }), ...(buckets ? { buckets } : {}) };
    voice = addon.load({ directory, manifest: suited, device, lane, ...runs });
    voices.set(directory, voice);
  }
  return voice;
}

/** The next use loads it anew. */
function forget(directory: string): void {
  voices.get(directory)?.close();
  voices.delete(directory);
}

/** A lost device takes the sessions of all voices with it. */
function forgetAll(): void {
  for (const directory of [...voices.keys()]) forget(directory);
}
