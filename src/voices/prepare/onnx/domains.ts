import type { Model } from './model.js';

/** Of operators that our addon brings with it: native/convolution/operator.h. */
export const OWN_DOMAIN = 'lantang';
/** Of ONNX Runtime's own operators. */
export const RUNTIME_DOMAIN = 'com.microsoft';

/** The model, telling of every domain of operators beside ONNX's own that its graph uses. */
export function withDomains(model: Model): Model {
  const used = new Set(model.graph.nodes.map(({ domain }) => domain));
  const told = new Set(model.opsets.map(({ domain }) => domain));
  const missing = [OWN_DOMAIN, RUNTIME_DOMAIN].filter((domain) => used.has(domain) && !told.has(domain));
  return { ...model, opsets: [...model.opsets, ...missing.map((domain) => ({ domain, version: 1n }))] };
}
