import { readdirSync } from 'node:fs';
import { nativeBuild } from './native-build.mjs';
import { isOnPath, runCommand } from './run-command.mjs';

/** What lantang needs of the system: the programs to look for, and each package manager's name of what brings them. */
const PROGRAMS = [
  { program: 'g++', apt: 'g++', dnf: 'gcc-c++', pacman: 'gcc', apk: 'g++', brew: 'gcc' },
  { program: 'make', apt: 'make', dnf: 'make', pacman: 'make', apk: 'make', brew: 'make' },
  { program: 'cmake', apt: 'cmake', dnf: 'cmake', pacman: 'cmake', apk: 'cmake', brew: 'cmake' },
  { program: 'python3', apt: 'python3', dnf: 'python3', pacman: 'python', apk: 'python3', brew: 'python' },
  { program: 'ffmpeg', apt: 'ffmpeg', dnf: 'ffmpeg-free', pacman: 'ffmpeg', apk: 'ffmpeg', brew: 'ffmpeg' },
];
const ESPEAK = {
  apt: 'espeak-ng',
  dnf: 'espeak-ng',
  pacman: 'espeak-ng',
  apk: 'espeak-ng',
  brew: 'espeak-ng',
};

const LIBRARY_FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib', '/opt/homebrew/lib'];

const INSTALL_COMMANDS = {
  apt: 'apt-get update && apt-get install -y --no-install-recommends',
  dnf: 'dnf install -y',
  pacman: 'pacman -S --needed',
  apk: 'apk add',
  brew: 'brew install',
};

/** @type {import('./set-up.mjs').Step} */
export const systemPackages = {
  name: 'system packages',
  // What is built needs no compiler any more, and a service without ffmpeg says so and does without.
  isDone: async () =>
    missingPackages('apt').length === 0 || (hasEspeakLibrary() && (await nativeBuild.isDone())),
  async run(log) {
    const missing = missingPackages('apt');
    if (!canUseApt()) throw new Error(askForPackages());
    await installWithApt(log, missing);
    const still = missingPackages('apt');
    if (still.length > 0) throw new Error(`apt-get brought no ${still.join(', no ')}.`);
  },
};

/** True on a Debian-like system where this user may install packages. */
export const canUseApt = () => process.getuid?.() === 0 && isOnPath('apt-get');

/** Installs Debian packages without asking anything. A stale package list is no failure; a missing package is. */
export async function installWithApt(log, packages) {
  const apt = ['apt-get', '-o', 'DPkg::Lock::Timeout=120', '-y', '-q'];
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand(log, [...apt, 'update'], environment).catch(() => {});
  await runCommand(log, [...apt, 'install', '--no-install-recommends', ...packages], environment);
}

/** The names, in one package manager's words, of what this system lacks. */
function missingPackages(manager) {
  const lacking = PROGRAMS.filter(({ program }) => !isOnPath(program));
  if (!hasEspeakLibrary()) lacking.push(ESPEAK);
  return lacking.map((packages) => packages[manager]);
}

/** The phonemizer opens this library at run time; its data come with it. */
function hasEspeakLibrary() {
  if (process.env.LANTANG_ESPEAK_LIBRARY) return true;
  return LIBRARY_FOLDERS.flatMap(withMultiarchFolders).some((folder) =>
    namesIn(folder).some((name) => /^libespeak-ng\.(so\.1|1\.dylib)$/.test(name)),
  );
}

/** Debian keeps libraries one level deeper, in a folder named for the architecture. */
function withMultiarchFolders(folder) {
  return [
    folder,
    ...namesIn(folder)
      .filter((name) => /-linux-/.test(name))
      .map((name) => `${folder}/${name}`),
  ];
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function askForPackages() {
  const manager = ['apt', 'dnf', 'pacman', 'apk', 'brew'].find((name) =>
    isOnPath(name === 'apt' ? 'apt-get' : name),
  );
  const missing = missingPackages(manager ?? 'apt').join(' ');
  if (!manager) return `these are missing, and no known package manager is here: ${missing}.`;
  const asRoot = manager === 'brew' || process.getuid?.() === 0 ? '' : 'sudo sh -c ';
  const command = `${INSTALL_COMMANDS[manager]} ${missing}`;
  return `programs are missing that only the system can install. Run: ${asRoot}${asRoot ? `'${command}'` : command}`;
}
