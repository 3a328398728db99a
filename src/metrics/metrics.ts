import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { programVersion } from '../places.js';
import { watchEngine, type Engine } from './engine-metrics.js';
import { JobMetrics } from './job-metrics.js';
import { RequestMetrics } from './request-metrics.js';
import { SpeechMetrics } from './speech-metrics.js';

/**
 * What operators watch, in Prometheus' text format. Rooms know nothing of it: they count for themselves and are asked,
 * or are listened to where they are put together. Nothing here names users, texts or keys, and no label can take more
 * than a few values.
 */
export class Metrics {
  readonly #registry = new Registry();
  /** From the start, since the event loop is measured between two readings. */
  readonly #process = processRegistry();
  readonly requests = new RequestMetrics(this.#registry);
  readonly jobs = new JobMetrics(this.#registry);
  readonly speech = new SpeechMetrics(this.#registry);
  readonly contentType = this.#registry.contentType;

  constructor() {
    new Gauge({
      name: 'lantang_build_info',
      help: 'Always 1; the label tells the version.',
      labelNames: ['version'],
      registers: [this.#registry],
    }).set({ version: programVersion }, 1);
  }

  watch(engine: Engine): void {
    watchEngine(this.#registry, engine);
  }

  /** The exposition, as of now. */
  text(): Promise<string> {
    return Registry.merge([this.#registry, this.#process]).metrics();
  }
}

let ofProcess: Registry | undefined;

/** Memory, processor time, garbage collection and the event loop: of the process, so once however many services it runs. */
function processRegistry(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}
