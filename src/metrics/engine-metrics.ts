import type { Registry } from 'prom-client';
import type { SchedulerStats } from '../inference/scheduler.js';
import type { CacheStats } from '../segment-cache/cached-synthesizer.js';
import type { PhonemizerHealth } from '../text/phonemizer-pool.js';
import { pulledCounter, pulledGauge } from './pulled.js';

/** Rooms that count for themselves, and are asked. */
export interface Engine {
  lanes: { stats(): SchedulerStats };
  /** Absent where it is switched off. */
  cache: { stats(): CacheStats } | undefined;
  phonemizers: { health(): PhonemizerHealth };
  encoders: { readonly runs: number };
}

export function watchEngine(registry: Registry, { lanes, cache, phonemizers, encoders }: Engine): void {
  watchLanes(registry, () => lanes.stats());
  if (cache) watchCache(registry, () => cache.stats());
  watchProcesses(registry, () => phonemizers.health());
  const runs = { name: 'lantang_ffmpeg_runs_total', help: 'Times that ffmpeg was started.' };
  pulledCounter(registry, runs, () => encoders.runs);
}

function watchLanes(registry: Registry, stats: () => SchedulerStats): void {
  const gauge = (name: string, help: string, read: (stats: SchedulerStats) => number) =>
    pulledGauge(registry, { name, help }, () => read(stats()));
  const counter = (name: string, help: string, read: (stats: SchedulerStats) => number) =>
    pulledCounter(registry, { name, help }, () => read(stats()));
  gauge('lantang_lanes', 'Threads that speak.', ({ lanes }) => lanes);
  gauge('lantang_lanes_busy', 'Threads that are speaking.', ({ busy }) => busy);
  gauge('lantang_lanes_lost', 'Threads whose device has failed and is not back.', ({ lost }) => lost);
  gauge('lantang_lane_queue_rows', 'Segments that wait for a lane.', ({ waiting }) => waiting);
  counter('lantang_lane_batches_total', 'Native calls.', ({ batches }) => batches);
  counter('lantang_lane_rows_total', 'Segments that lanes were given.', ({ rows }) => rows);
}

function watchCache(registry: Registry, stats: () => CacheStats): void {
  const answers = {
    name: 'lantang_segment_cache_answers_total',
    help: 'Segments by where they came from: kept in memory or on the disk, being spoken for another, or a lane.',
    label: 'source',
  };
  pulledCounter(registry, answers, () => {
    const { memory, disk, joined, miss } = stats().answers;
    return { memory, disk, joined, lane: miss };
  });
  const ofBoth = (read: (store: { entries: number; bytes: number }) => number) => () => {
    const { memory, disk } = stats();
    return { memory: read(memory), disk: read(disk) };
  };
  const bytes = { name: 'lantang_segment_cache_bytes', help: 'Size of what is kept.', label: 'store' };
  pulledGauge(
    registry,
    bytes,
    ofBoth((store) => store.bytes),
  );
  const entries = { name: 'lantang_segment_cache_entries', help: 'Segments that are kept.', label: 'store' };
  pulledGauge(
    registry,
    entries,
    ofBoth((store) => store.entries),
  );
  const evictions = {
    name: 'lantang_segment_cache_disk_evictions_total',
    help: 'Segments that left the disk for others.',
  };
  pulledCounter(registry, evictions, () => stats().disk.evictions);
  const failures = {
    name: 'lantang_segment_cache_disk_failures_total',
    help: 'Segments that could not be written or read, or were not whole.',
  };
  pulledCounter(registry, failures, () => stats().disk.failures);
}

function watchProcesses(registry: Registry, health: () => PhonemizerHealth): void {
  const processes = {
    name: 'lantang_phonemizer_processes',
    help: 'Phonemizer processes that should run, and that do.',
    label: 'state',
  };
  pulledGauge(registry, processes, () => {
    const { processes: wanted, alive } = health();
    return { wanted, alive };
  });
  const restarts = {
    name: 'lantang_phonemizer_restarts_total',
    help: 'Phonemizer processes that were replaced.',
  };
  pulledCounter(registry, restarts, () => health().restarts);
}
