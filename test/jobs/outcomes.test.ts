import { expect } from 'chai';
import { LantangError } from '../../src/errors.js';
import { eventOf, faultOf, outcomeOf } from '../../src/jobs/outcomes.js';
import type { StoredJob } from '../../src/store/job.js';

const JOB = { attempt: 2, createdAt: 0 } as StoredJob;
const error = (code: string, retryable = false): LantangError =>
  new LantangError(code, 'Inside.', { retryable });

describe('What a failure means for its job', () => {
  it('is told by its code', () => {
    for (const code of ['nothing_to_speak', 'ssml_invalid'])
      expect(outcomeOf(error(code)), code).to.equal('fail');
    for (const code of [
      'inference_failed',
      'encoding_failed',
      'out_of_memory',
      'device_lost',
      'phonemizer_failed',
    ])
      expect(outcomeOf(error(code)), code).to.equal('fault');
    for (const code of ['voice_not_found', 'storage_full'])
      expect(outcomeOf(error(code)), code).to.equal('postpone');
  });

  it('is told by retryable where the code is new, and is a fault where there is none', () => {
    expect(outcomeOf(error('new_code', true))).to.equal('fault');
    expect(outcomeOf(error('new_code'))).to.equal('fail');
    expect(outcomeOf(new Error('x'))).to.equal('fault');
    expect(outcomeOf(undefined)).to.equal('fault');
  });

  it('is told to callers by the error itself only where the input is at fault', () => {
    expect(faultOf(error('ssml_invalid'))).to.deep.equal({
      code: 'ssml_invalid',
      message: 'Inside.',
      retryable: false,
    });
    for (const inside of [error('device_lost'), error('inference_failed'), new Error('Inside.')]) {
      expect(faultOf(inside).message)
        .to.match(/^[A-Z].*\.$/)
        .and.not.include('Inside');
      expect(faultOf(inside).retryable).to.be.true;
    }
  });

  it('becomes an event of the attempt', () => {
    expect(eventOf(error('device_lost'), JOB, 0)).to.include({ kind: 'fault', attempt: 2 });
    expect(eventOf(error('ssml_invalid'), JOB, 0)).to.include({ kind: 'fail', attempt: 2 });
    expect(eventOf(error('voice_not_found'), JOB, 1000)).to.deep.equal({
      kind: 'postpone',
      attempt: 2,
      until: 31_000,
    });
    expect(eventOf(error('voice_not_found'), JOB, 24 * 3600_000)).to.include({ kind: 'fail' });
  });
});
