/** A failure that its reader can act on: the message is the whole of what they are shown. */
export class SetUpError extends Error {
  name = 'SetUpError';
}

/** Runs `main` as a program: a SetUpError ends it with its message alone, anything else with its stack. */
export async function runProgram(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof SetUpError ? `\nlantang: ${error.message}` : error);
    process.exitCode = 1;
  }
}
