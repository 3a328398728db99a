import { Type } from 'typebox';
import type { JobFilter, Jobs } from '../../jobs/job.js';
import { callerOf } from '../call.js';
import type { DeliverJob } from '../deliver-job.js';
import { jobIdOf } from '../job-id.js';
import { jobOverview, jobStatusView } from '../job-view.js';
import { route, type Route } from '../route.js';
import { CountQuery, ListQuery, SignedUrlQuery } from '../schemas/reading.js';
import { TtsJob, TtsJobList, TtsJobStatus } from '../schemas/writing.js';

const DAY_MILLISECONDS = 86_400_000;
const tag = 'Speech jobs';

/** The endpoints of jobs that exist already. */
export function jobRoutes(jobs: Jobs, deliver: DeliverJob): Route[] {
  return [
    countRoute(jobs),
    listRoute(jobs),
    statusRoute(jobs),
    retrieveRoute(jobs, deliver),
    archiveRoute(jobs, deliver),
  ];
}

function countRoute(jobs: Jobs): Route {
  return route({
    method: 'get',
    path: '/v2/speech/tts/count',
    name: 'countJobs',
    tag,
    summary: 'Count the jobs that match.',
    scope: 'read',
    query: CountQuery,
    answers: { 200: { description: 'How many.', schema: Type.Integer({ minimum: 0 }) } },
    errors: [],
    async answer(call, { query }) {
      const count = await jobs.count(callerOf(call).user, filterOf(query));
      call.type = 'application/json';
      call.body = JSON.stringify(count);
    },
  });
}

function listRoute(jobs: Jobs): Route {
  return route({
    method: 'get',
    path: '/v2/speech/tts',
    name: 'listJobs',
    tag,
    summary: 'List the jobs that match, without their audio.',
    scope: 'read',
    query: ListQuery,
    answers: { 200: { description: 'One page of jobs.', schema: TtsJobList } },
    errors: [],
    async answer(call, { query }) {
      const { page, per_page, sort_by, sort_ascend } = query;
      const order = { sortBy: sort_by, ascending: sort_ascend, page, perPage: per_page };
      const found = await jobs.list(callerOf(call).user, filterOf(query), order);
      call.body = {
        pagination: { page, per_page, page_count: Math.ceil(found.length / per_page) },
        length: found.length,
        data: found.jobs.map(jobOverview),
      };
    },
  });
}

function statusRoute(jobs: Jobs): Route {
  return route({
    method: 'get',
    path: '/v2/speech/tts/{job_id}/status',
    name: 'retrieveJobStatus',
    tag,
    summary: 'Tell how far a job is.',
    scope: 'read',
    answers: { 200: { description: 'The status.', schema: TtsJobStatus } },
    errors: ['job_not_found'],
    answer(call) {
      call.body = jobStatusView(jobs.get(callerOf(call).user, jobIdOf(call)));
    },
  });
}

function retrieveRoute(jobs: Jobs, deliver: DeliverJob): Route {
  return route({
    method: 'get',
    path: '/v2/speech/tts/{job_id}',
    name: 'retrieveJob',
    tag,
    summary: 'Retrieve a job with its result.',
    scope: 'read',
    query: SignedUrlQuery,
    answers: { 200: { description: 'The job.', schema: TtsJob } },
    errors: ['job_not_found'],
    answer(call, { query }) {
      const job = jobs.get(callerOf(call).user, jobIdOf(call));
      return deliver(call, job, query.as_signed_url ? 'path' : 'data');
    },
  });
}

function archiveRoute(jobs: Jobs, deliver: DeliverJob): Route {
  return route({
    method: 'delete',
    path: '/v2/speech/tts/{job_id}',
    name: 'archiveJob',
    tag,
    summary: 'Archive a job; one that has not begun is cancelled first.',
    scope: 'submit',
    answers: { 200: { description: 'The archived job.', schema: TtsJob } },
    errors: ['job_not_found', 'job_cancellation_failure'],
    async answer(call) {
      const job = await jobs.archive(callerOf(call).user, jobIdOf(call));
      return deliver(call, job, 'facts');
    },
  });
}

/** UTC days, both inclusive, as a half-open span of milliseconds. */
function filterOf({ from_date, until_date, query_text }: CountQuery): JobFilter {
  return {
    ...(from_date !== undefined && { from: Date.parse(from_date) }),
    ...(until_date !== undefined && { until: Date.parse(until_date) + DAY_MILLISECONDS }),
    ...(query_text !== undefined && query_text !== '' && { text: query_text }),
  };
}
