/** Sample rate conversion of one stream of mono samples. */
export interface Resampler {
  /** Output for the samples so far that no later input can change. */
  process(samples: Float32Array): Float32Array;
  /** The rest. In all, exactly round(input samples × outputRate ÷ inputRate) come out. */
  finish(): Float32Array;
}

/** What makes converters; the native addon is one. */
export interface ResamplerSource {
  resampler(inputRate: number, outputRate: number): Resampler;
}

/** A converter between two rates; where they are equal the samples pass untouched. */
export function openResampler(source: ResamplerSource, inputRate: number, outputRate: number): Resampler {
  return inputRate === outputRate ? identity : source.resampler(inputRate, outputRate);
}

const identity: Resampler = {
  process: (samples) => samples,
  finish: () => new Float32Array(0),
};
