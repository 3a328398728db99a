import { expect } from 'chai';
import { LantangError } from '../../src/errors.js';
import { eventOf, failureOf, faultOf } from '../../src/jobs/outcomes.js';
import type { StoredJob } from '../../src/store/job.js';

const JOB = { attempt: 2, createdAt: 0 } as StoredJob;
const DAY = 24 * 3600_000;
const error = (code: string, cause?: unknown): LantangError => new LantangError(code, 'Inside.', { cause });
const full = (): Error => Object.assign(new Error('no space left on /dev/sda1'), { code: 'ENOSPC' });

describe('What a failure means for its job', () => {
  it('is the end, with the error’s own sentence, where the input is at fault', () => {
    for (const code of ['nothing_to_speak', 'ssml_invalid', 'text_too_long']) {
      const fault = { code, message: 'Inside.', retryable: false };
      expect(eventOf(error(code), JOB, 0)).to.deep.equal({ kind: 'fail', attempt: 2, fault });
    }
  });

  it('is a fault of the engine where that failed, told in a sentence of our own', () => {
    for (const code of [
      'inference_failed',
      'encoding_failed',
      'out_of_memory',
      'device_lost',
      'phonemizer_failed',
    ]) {
      expect(eventOf(error(code), JOB, 0)).to.include({ kind: 'fault', attempt: 2 });
      expect(faultOf(error(code))).to.include({ code, retryable: true });
      expect(faultOf(error(code)).message)
        .to.match(/^[A-Z].*\.$/)
        .and.not.include('Inside');
    }
  });

  it('is a general fault of the engine where callers can make nothing of it', () => {
    for (const inside of [
      error('closed'),
      error('invalid_argument'),
      error('constructor'),
      new Error('x'),
      undefined,
    ]) {
      expect(failureOf(inside)).to.equal('inference_failed');
      expect(eventOf(inside, JOB, 0).kind).to.equal('fault');
      expect(faultOf(inside).message).not.to.include('Inside');
    }
  });

  it('is a wait of up to a day where something is missing', () => {
    const missing = [
      ...['voice_not_found', 'storage_full', 'storage_unavailable'],
      ...['ffmpeg_missing', 'pitch_unavailable'],
    ];
    for (const code of missing) {
      const wait = { kind: 'postpone', attempt: 2, until: 31_000 };
      expect(eventOf(error(code), JOB, 1000)).to.deep.equal(wait);
      expect(eventOf(error(code), JOB, DAY)).to.include({ kind: 'fail' });
      expect(faultOf(error(code)).retryable).to.be.true;
    }
  });

  it('is a wait for the disk, whoever met it full', () => {
    expect(failureOf(error('encoding_failed', full()))).to.equal('storage_full');
    expect(eventOf(error('encoding_failed', full()), JOB, 0)).to.include({ kind: 'postpone' });
  });
});
