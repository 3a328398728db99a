import type { Node } from './model.js';

/** A node's attribute of integers, e.g. `strides`; undefined where it is left to its default. */
export function intsOf(node: Node, name: string): number[] | undefined {
  return node.attributes.find((attribute) => attribute.name === name)?.ints.map(Number);
}

/** A node's attribute of one integer, e.g. `group`. */
export function intOf(node: Node, name: string, fallback: number): number {
  return Number(node.attributes.find((attribute) => attribute.name === name)?.int ?? fallback);
}

/** A node's attribute of one number, e.g. `alpha`. */
export function floatOf(node: Node, name: string, fallback: number): number {
  return node.attributes.find((attribute) => attribute.name === name)?.float ?? fallback;
}
