import type { Job } from '../jobs/job.js';
import type { Call } from './call.js';
import { jobView } from './job-view.js';
import type { PublicModels } from './models.js';
import type { AppParts } from './parts.js';
import { sendJobWithAudio } from './send-job.js';

/** How the audio is given: base64 inside the answer, a signed URL, or only its facts. */
export type DeliveryWish = 'data' | 'path' | 'facts';

/** Answers a call with the whole job. */
export type DeliverJob = (call: Call, job: Job, wish: DeliveryWish) => Promise<void>;

export function jobDelivery(
  models: PublicModels,
  artifacts: AppParts['artifacts'],
  signedUrl: (call: Call, artifact: string) => string,
): DeliverJob {
  return async (call, job, wish) => {
    const model = models.find(job.config.model);
    const artifact = job.result?.artifact;
    if (artifact === undefined || wish === 'facts') {
      call.body = jobView(job, model);
    } else if (wish === 'path') {
      call.body = jobView(job, model, { path: signedUrl(call, artifact) });
    } else {
      await sendJobWithAudio(call, jobView(job, model, { data: '' }), artifacts, artifact);
    }
  };
}
