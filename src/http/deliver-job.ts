import { isLantangError, LantangError } from '../errors.js';
import type { Job } from '../jobs/job.js';
import type { Call } from './call.js';
import { publicError } from './error-table.js';
import { jobView } from './job-view.js';
import type { PublicModels } from './models.js';
import type { AppParts } from './parts.js';
import { sendJobWithAudio } from './send-job.js';

/** How the audio is given: base64 inside the answer, a signed URL, or only its facts. */
export type DeliveryWish = 'data' | 'path' | 'facts';

/** Answers a call with the whole job. */
export type DeliverJob = (call: Call, job: Job, wish: DeliveryWish) => Promise<void>;

/**
 * The audio is looked for before its delivery is promised. Where it was deleted or damaged, the job is shown all the
 * same, with what has become of its audio.
 */
export function jobDelivery(
  models: PublicModels,
  { artifacts, log }: Pick<AppParts, 'artifacts' | 'log'>,
  signedUrl: (call: Call, artifact: string) => string,
): DeliverJob {
  return async (call, job, wish) => {
    const { result } = job;
    const model = models.find(job.config.model);
    if (result === undefined || wish === 'facts') {
      call.body = jobView(job, model);
      return;
    }
    const audio = await artifacts.open(result.artifact, result.size).catch(lossOf);
    if (audio instanceof LantangError) {
      log.error({ err: audio, requestId: call.state.requestId, job: job.id }, 'the audio of a job is lost');
      call.body = jobView(job, model, { lost: publicError(audio) });
    } else if (wish === 'path') {
      call.body = jobView(job, model, { path: signedUrl(call, result.artifact) });
    } else {
      sendJobWithAudio(call, jobView(job, model, { data: '' }), audio);
    }
  };
}

/** An error that means that there is no audio; others, of a disk that may answer later, are thrown on. */
function lossOf(error: unknown): LantangError {
  if (isLantangError(error, 'artifact_not_found') || isLantangError(error, 'artifact_damaged')) return error;
  throw error;
}
