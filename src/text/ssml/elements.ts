import { INTERPRETATIONS } from '../normalise/say-as.js';
import {
  anything,
  breakStrength,
  breakTime,
  emphasisLevel,
  languageTag,
  oneOf,
  pitch,
  rate,
  textUpTo,
  volume,
  type ValueKind,
} from './values.js';

export interface ElementKind {
  attributes: Record<string, ValueKind<unknown>>;
  required?: readonly string[];
  /** What may stand inside: anything, only text, nothing. */
  content: 'mixed' | 'text' | 'empty';
}

const LANGUAGE = { 'xml:lang': languageTag };

/** The part of SSML 1.1 (W3C) that is understood. */
export const ELEMENTS: Record<string, ElementKind> = {
  speak: {
    attributes: {
      ...LANGUAGE,
      version: anything,
      'xml:base': anything,
      onlangfailure: anything,
      'xsi:schemaLocation': anything,
    },
    content: 'mixed',
  },
  p: { attributes: LANGUAGE, content: 'mixed' },
  s: { attributes: LANGUAGE, content: 'mixed' },
  lang: { attributes: LANGUAGE, required: ['xml:lang'], content: 'mixed' },
  break: { attributes: { time: breakTime, strength: breakStrength }, content: 'empty' },
  mark: { attributes: { name: textUpTo(200) }, required: ['name'], content: 'empty' },
  emphasis: { attributes: { level: emphasisLevel }, content: 'mixed' },
  prosody: { attributes: { rate, pitch, volume }, content: 'mixed' },
  'say-as': {
    attributes: {
      'interpret-as': oneOf(INTERPRETATIONS),
      format: textUpTo(20),
      detail: anything,
    },
    required: ['interpret-as'],
    content: 'text',
  },
  sub: { attributes: { alias: textUpTo(1000) }, required: ['alias'], content: 'text' },
  phoneme: {
    attributes: { alphabet: oneOf(['ipa']), ph: textUpTo(500) },
    required: ['ph'],
    content: 'text',
  },
};

/** Declares a namespace: always allowed, without effect. */
export function isNamespace(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:');
}
