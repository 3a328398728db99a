import type { Jobs } from '../../jobs/job.js';
import { callerOf } from '../call.js';
import { refusal } from '../error-table.js';
import { jobIdOf } from '../job-id.js';
import { marksView } from '../job-view.js';
import { route, type Route } from '../route.js';
import { MarksQuery } from '../schemas/reading.js';
import { TtsMarks } from '../schemas/writing.js';
import { subRip, webVtt } from '../subtitles.js';

export function marksRoute(jobs: Jobs): Route {
  return route({
    method: 'get',
    path: '/v2/speech/tts/{job_id}/marks',
    name: 'retrieveMarks',
    tag: 'Speech jobs',
    summary: 'When each word and sentence is spoken; as JSON or as subtitles.',
    scope: 'read',
    query: MarksQuery,
    answers: {
      200: {
        description: 'The times.',
        schema: TtsMarks,
        contentTypes: ['application/x-subrip', 'text/vtt'],
      },
    },
    errors: ['job_not_found', 'job_not_complete'],
    answer(call, { query }) {
      const job = jobs.get(callerOf(call).user, jobIdOf(call));
      if (!job.result) throw refusal('job_not_complete', { job_id: job.id, status: job.status });
      if (query.format === 'json') {
        call.body = marksView(job, job.result);
        return;
      }
      const write = query.format === 'srt' ? subRip : webVtt;
      call.type = query.format === 'srt' ? 'application/x-subrip; charset=utf-8' : 'text/vtt; charset=utf-8';
      call.body = write(job.result.sentences);
    },
  });
}
