/** What so many clients met that each asked for the next text as soon as they had the last one. */
export interface ClientsResult {
  audioSeconds: number;
  /** Milliseconds from asking for a text to having it, waiting included. */
  latencies: number[];
}

/**
 * A closed loop: the tasks are dealt out to the clients in turn, as many to each. More clients than a machine has lanes
 * saturate it, and a text's latency is mostly the wait for others.
 */
export async function serveClients<Task>(
  clients: number,
  tasks: readonly Task[],
  speak: (task: Task, client: number) => Promise<number>,
): Promise<ClientsResult> {
  const result: ClientsResult = { audioSeconds: 0, latencies: [] };
  const ask = async (client: number) => {
    for (let index = client; index < tasks.length; index += clients) {
      const asked = performance.now();
      const seconds = await speak(tasks[index]!, client); // not within the sum, which others add to meanwhile
      result.audioSeconds += seconds;
      result.latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
  return result;
}
