import { Type } from 'typebox';
import type { PublicModels } from '../models.js';
import { route, type Route } from '../route.js';
import { TtsModel } from '../schemas/writing.js';

export function modelRoutes(models: PublicModels): Route[] {
  return [
    route({
      method: 'get',
      path: '/v2/speech/tts/models',
      name: 'listModels',
      tag: 'Models',
      summary: 'List the voice models that can speak now.',
      scope: 'read',
      answers: { 200: { description: 'The models.', schema: Type.Array(TtsModel) } },
      errors: [],
      answer(call) {
        call.body = models.all();
      },
    }),
  ];
}
