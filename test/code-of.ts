/** The code with which something is refused, or the error's name where it has none; undefined when it is not. */
export function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => {
      const { code, name } = error as { code?: unknown; name: string };
      return typeof code === 'string' ? code : name;
    },
  );
}
