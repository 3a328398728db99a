import { jobDelivery } from '../deliver-job.js';
import { fileLinks } from '../file-link.js';
import { publicModels } from '../models.js';
import type { AppParts } from '../parts.js';
import type { Route } from '../route.js';
import { documentRoutes } from './documents.js';
import { fileRoute } from './files.js';
import { jobRoutes } from './jobs.js';
import { marksRoute } from './marks.js';
import { modelRoutes } from './models.js';
import { metricsRoutes } from './metrics.js';
import { healthRoutes } from './operation.js';
import { speechRoutes } from './speech.js';
import { submitRoute } from './submit.js';

/** Every endpoint. Fixed paths stand before those with a parameter that they would match. */
export function allRoutes(parts: AppParts): Route[] {
  const {
    jobs,
    accounts,
    catalogue,
    speaker,
    health,
    signingKeys,
    settings,
    abilities,
    now = Date.now,
  } = parts;
  const models = publicModels(catalogue, settings, abilities);
  const deliver = jobDelivery(models, parts, fileLinks(signingKeys, settings, now));
  const routes = [
    ...modelRoutes(models),
    submitRoute({ jobs, models, abilities, deliver, settings }),
    ...jobRoutes(jobs, deliver),
    marksRoute(jobs),
    fileRoute(parts, signingKeys, now),
    ...speechRoutes({ accounts, speaker, models, abilities, settings }),
    ...healthRoutes(health),
    ...metricsRoutes(parts.metrics, accounts, settings),
  ];
  return [...routes, ...documentRoutes(routes)];
}
