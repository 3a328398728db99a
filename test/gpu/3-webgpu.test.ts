import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runtimeLibrary } from '../../src/inference/runtime-library.js';
import { FETCHED_VOICES } from '../native/published-voice.js';
import { largestDifference, rootMeanSquare } from '../native/signal.js';
import { writeToyVoice } from '../voices/prepare/toy-voice.js';
import { temporaryFolder } from '../temporary-folder.js';
import type { Answer } from './webgpu-program.js';

/** The CUDA build has no WebGPU; a machine that was sent only that one can't run these tests. */
function hasNpmLibrary(): boolean {
  try {
    return runtimeLibrary() !== '';
  } catch {
    return false;
  }
}

/** What `npm test` fetches: a Vulkan driver that computes on the CPU. It takes its time. */
const SWIFTSHADER = join(FETCHED_VOICES, 'swiftshader');
const PROGRAM = fileURLToPath(new URL('webgpu-program.js', import.meta.url));
const TOLERANCE = 1e-3;

describe('gpu: WebGPU', function () {
  this.timeout(300_000);
  const scratch = temporaryFolder();
  after(() => scratch.clean());

  before(function () {
    if (hasNpmLibrary()) return;
    this.test!.parent!.title += ' (skipped: the npm package’s library, which has it, is not here)';
    this.skip();
  });

  /** What the program printed; throws where it did not end with status 0. */
  async function run(driver: string): Promise<Answer> {
    const voice = writeToyVoice(join(scratch.path, 'published'), 'toy');
    const environment = {
      ...process.env,
      ...{ VK_DRIVER_FILES: driver, VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: SWIFTSHADER },
    };
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, voice, scratch.path], {
      ...{ env: environment, maxBuffer: 1 << 28 },
    });
    return JSON.parse(stdout) as Answer;
  }

  it('says that it found no GPU, and what it looked for', async () => {
    const { error } = await run(join(scratch.path, 'no-driver.json'));
    expect(error).to.have.property('code', 'device_unavailable');
    expect(error!.message).to.match(
      /^The webgpu provider cannot be opened: .*needs a GPU with a Vulkan driver/,
    );
  });

  describe('on a software driver', () => {
    let answer: Answer;

    before(async function () {
      const driver = join(SWIFTSHADER, 'vk_swiftshader_icd.json');
      if (!existsSync(driver)) {
        this.test!.parent!.title += ' (skipped: there is none in the tests’ cache)';
        return this.skip();
      }
      answer = await run(driver); // which also shows that the process ends in peace with its sessions open
      expect(answer.error).to.equal(undefined);
    });

    function expectEqual(actual: number[][], expected: number[][], tolerance: number): void {
      expect(actual).to.have.length(expected.length);
      actual.forEach((samples, index) => {
        expect(largestDifference(samples, expected[index]!)).to.be.at.most(
          tolerance * loudest(expected[index]!),
        );
      });
    }
    const loudest = (samples: number[]) => Math.max(...samples.map(Math.abs));

    it('says what the CPU says', () => {
      for (const samples of answer.onCpu) {
        expect(rootMeanSquare(Float32Array.from(samples)) / loudest(samples)).to.be.greaterThan(0.1);
      }
      expectEqual(answer.alone, answer.onCpu, TOLERANCE);
    });

    it('gives rows of a batch what they get alone', () => {
      expectEqual(answer.together, answer.alone, TOLERANCE);
    });

    it('streams what it gives as a whole', () => {
      expectEqual(answer.streamed, answer.alone, TOLERANCE);
    });

    it('speaks on a lane, whose thread then ends', () => {
      expectEqual(answer.onLane, answer.alone, TOLERANCE);
    });
  });
});
