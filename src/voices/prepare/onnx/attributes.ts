import type { Node } from './model.js';

/** A node's attribute of integers, e.g. `strides`; undefined where it is left to its default. */
export function intsOf(node: Node, name: string): number[] | undefined {
  return node.attributes.find((attribute) => attribute.name === name)?.ints.map(Number);
}

/** A node's attribute of one integer, e.g. `group`. */
export function intOf(node: Node, name: string, fallback: number): number {
  const attribute = node.attributes.find((one) => one.name === name);
  return attribute ? Number(attribute.int ?? 0) : fallback;
}

/** A node's attribute of one number, e.g. `alpha`. */
export function floatOf(node: Node, name: string, fallback: number): number {
  const attribute = node.attributes.find((one) => one.name === name);
  return attribute ? (attribute.float ?? 0) : fallback;
}

/** Whether the runtime is to choose a convolution's padding. */
export function isPaddedByRuntime(node: Node): boolean {
  const way = node.attributes.find(({ name }) => name === 'auto_pad')?.string;
  return way !== undefined && new TextDecoder().decode(way) !== 'NOTSET';
}
