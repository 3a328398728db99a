import { expect } from 'chai';
import { Metrics } from '../../src/metrics/metrics.js';
import type { Speaker, SpeechResult } from '../../src/speech/speech.js';
import type { Job } from '../../src/jobs/job.js';
import { Exposition } from './exposition.js';

const RESULT: SpeechResult = {
  ...{ duration: 2, sampleRate: 24000, channels: 1, format: 'wav', sentences: [], words: [], marks: [] },
  characters: 30,
  times: { text: 0.001, queue: 0.02, infer: 0.1, shape: 0.003, encode: 0.004 },
};
const REQUEST = { input: { kind: 'text', content: 'A secret.' } } as never;
const OPTIONS = { priority: 'batch', user: 'ana', streaming: false } as const;

describe('The metrics', () => {
  let metrics: Metrics;
  const exposition = async () => new Exposition(await metrics.text());

  beforeEach(() => {
    metrics = new Metrics();
  });

  it('tell requests by method, route and status, with what took how long', async () => {
    for (const [status, seconds] of [
      [200, 0.003],
      [200, 0.2],
      [404, 0.004],
    ] as const) {
      metrics.requests.began();
      metrics.requests.answered({ method: 'GET', route: '/v2/x/{id}', status, seconds });
    }
    metrics.requests.began();
    const told = await exposition();
    const name = 'lantang_http_request_duration_seconds';
    const labels = { method: 'GET', route: '/v2/x/{id}' };
    expect(told.count(name, { ...labels, status: '200' })).to.equal(2);
    expect(told.sum(name, { ...labels, status: '200' })).to.be.closeTo(0.203, 1e-9);
    expect(told.count(name, { ...labels, status: '404' })).to.equal(1);
    expect(told.value('lantang_http_requests_in_flight')).to.equal(1);
  });

  it('take few values for a label, whatever clients send', async () => {
    for (let number = 0; number < 100; number++) {
      metrics.requests.began();
      metrics.requests.answered({ method: `M${number}`, route: undefined, status: undefined, seconds: 1 });
    }
    const told = await exposition();
    const name = 'lantang_http_request_duration_seconds';
    expect(told.count(name, { method: 'other', route: 'none', status: 'none' })).to.equal(100);
    expect(told.labelValues(name, 'method')).to.deep.equal(['other']);
  });

  it('tell jobs by state, the age of the oldest, and how jobs ended', async () => {
    const now = Date.now();
    metrics.jobs.watch(() => ({ ready: 3, postponed: 2, inProgress: 1, oldestReadyAt: now - 60_000 }));
    metrics.jobs.settled({ status: 'complete', createdAt: now - 2000 } as Job);
    metrics.jobs.settled({ status: 'failed', createdAt: now - 1000 } as Job);
    const told = await exposition();
    const states = ['ready', 'postponed', 'in_progress'].map((state) =>
      told.value('lantang_jobs', { state }),
    );
    expect(states).to.deep.equal([3, 2, 1]);
    expect(told.value('lantang_jobs_oldest_ready_age_seconds')).to.be.within(60, 90);
    const settled = ['complete', 'failed', 'cancelled'].map((status) =>
      told.value('lantang_jobs_settled_total', { status }),
    );
    expect(settled).to.deep.equal([1, 1, 0]);
    expect(told.sum('lantang_job_duration_seconds', { status: 'complete' })).to.be.within(2, 30);
  });

  it('tell an age of 0 where no job is ready', async () => {
    metrics.jobs.watch(() => ({ ready: 0, postponed: 0, inProgress: 0 }));
    expect((await exposition()).value('lantang_jobs_oldest_ready_age_seconds')).to.equal(0);
  });

  const speaking = (bytes: AsyncIterable<Buffer>, result: Promise<SpeechResult>): Speaker => {
    result.catch(() => undefined);
    return metrics.speech.measured({ speak: () => ({ bytes, result }) });
  };
  // eslint-disable-next-line @typescript-eslint/require-await -- an async iterable of two
  async function* pieces(failure?: Error): AsyncGenerator<Buffer> {
    yield Buffer.from('some ');
    if (failure) throw failure;
    yield Buffer.from('sound');
  }
  const outcomes = async () => {
    const told = await exposition();
    return ['complete', 'failed', 'abandoned'].map((outcome) =>
      told.value('lantang_speeches_total', { outcome }),
    );
  };

  it('tell characters, audio, phases and the real-time factor of what was spoken, and pass it on', async () => {
    const { bytes, result } = speaking(pieces(), Promise.resolve(RESULT)).speak(REQUEST, OPTIONS);
    const heard: Buffer[] = [];
    for await (const piece of bytes) heard.push(piece);
    expect([Buffer.concat(heard).toString(), await result]).to.deep.equal(['some sound', RESULT]);
    const told = await exposition();
    expect(told.value('lantang_speech_characters_total')).to.equal(30);
    expect(told.value('lantang_speech_audio_seconds_total')).to.equal(2);
    expect(told.labelValues('lantang_speech_phase_seconds', 'phase')).to.deep.equal(
      Object.keys(RESULT.times).sort(),
    );
    expect(told.sum('lantang_speech_phase_seconds', { phase: 'queue' })).to.equal(0.02);
    expect(told.sum('lantang_speech_real_time_factor')).to.equal(0.05);
    expect(await outcomes()).to.deep.equal([1, 0, 0]);
  });

  it('give no real-time factor to what no lane has spoken', async () => {
    const cached = { ...RESULT, times: { ...RESULT.times, infer: 0 } };
    const { bytes } = speaking(pieces(), Promise.resolve(cached)).speak(REQUEST, OPTIONS);
    for await (const piece of bytes) expect(piece.length).to.equal(5);
    expect((await exposition()).count('lantang_speech_real_time_factor')).to.equal(0);
  });

  it('tell failures from listeners who left, and let failures through', async () => {
    const failure = new Error('broken');
    const failed = Promise.reject(failure);
    const hear = async (speaker: Speaker, signal?: AbortSignal) => {
      for await (const piece of speaker.speak(REQUEST, { ...OPTIONS, ...(signal && { signal }) }).bytes)
        expect(piece.length).to.equal(5);
      return undefined;
    };
    expect(await hear(speaking(pieces(failure), failed)).catch((error: unknown) => error)).to.equal(failure);
    expect(await outcomes()).to.deep.equal([0, 1, 0]);
    await hear(speaking(pieces(failure), failed), AbortSignal.abort()).catch(() => undefined);
    for await (const piece of speaking(pieces(), failed).speak(REQUEST, OPTIONS).bytes) {
      if (piece.length > 0) break;
    }
    expect(await outcomes()).to.deep.equal([0, 1, 2]);
  });

  it('follow the conventions: our prefix, base units, _total on counters alone, and a help for each', async () => {
    metrics.watch({
      lanes: { stats: () => ({ lanes: 2, busy: 1, waiting: 3, batches: 4, rows: 5, lost: 0 }) },
      cache: {
        stats: () => ({
          answers: { memory: 4, disk: 3, joined: 2, miss: 1 },
          memory: { entries: 1, bytes: 100 },
          disk: { entries: 2, bytes: 200, evictions: 6, failures: 7 },
        }),
      },
      phonemizers: { health: () => ({ processes: 2, alive: 1, restarts: 9, version: '1.51' }) },
      encoders: { runs: 8 },
    });
    metrics.jobs.watch(() => ({ ready: 0, postponed: 0, inProgress: 0 }));
    const told = await exposition();
    const ours = told.families.filter(({ name }) => !/^(process|nodejs)_/.test(name));
    for (const { name, help, type } of ours) {
      expect(name).to.match(/^lantang_[a-z_]+$/);
      expect(name.endsWith('_total'), name).to.equal(type === 'counter');
      expect(name).to.not.match(/_(ms|milliseconds|minutes|kilobytes|percent)(_|$)/);
      expect(help, name).to.match(/^[A-Z].{3,}$/);
    }
    expect(told.value('lantang_lanes_busy')).to.equal(1);
    expect(told.value('lantang_lane_rows_total')).to.equal(5);
    expect(told.value('lantang_segment_cache_answers_total', { source: 'lane' })).to.equal(1);
    expect(told.value('lantang_segment_cache_bytes', { store: 'disk' })).to.equal(200);
    expect(told.value('lantang_phonemizer_restarts_total')).to.equal(9);
    expect(told.value('lantang_ffmpeg_runs_total')).to.equal(8);
    expect(told.names()).to.include.members([
      ...['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'],
    ]);
  });

  it('count the same however often they are read', async () => {
    let rows = 5;
    const stats = () => ({ lanes: 1, busy: 0, waiting: 0, batches: rows, rows, lost: 0 });
    const health = () => ({ processes: 1, alive: 1, restarts: 0, version: undefined });
    metrics.watch({ lanes: { stats }, cache: undefined, phonemizers: { health }, encoders: { runs: 0 } });
    await exposition();
    rows = 7;
    const told = await exposition();
    expect(told.value('lantang_lane_rows_total')).to.equal(7);
    expect(told.names().filter((name) => name.startsWith('lantang_segment_cache'))).to.deep.equal([]);
  });
});
