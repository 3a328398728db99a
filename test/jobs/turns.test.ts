import { expect } from 'chai';
import { limitsFor, Turns, type Turn } from '../../src/jobs/turns.js';

const users = (turns: (Turn | undefined)[]): (string | undefined)[] => turns.map((turn) => turn?.user);

describe('Turns', () => {
  /** Turns that find a job each. */
  const take = (turns: Turns, count: number): (Turn | undefined)[] =>
    Array.from({ length: count }, () => {
      const turn = turns.next();
      if (turn) turns.found(turn);
      return turn;
    });

  it('go round between users', () => {
    const turns = new Turns(limitsFor(16));
    for (const user of ['a', 'b', 'c']) turns.ready(user);
    expect(users(take(turns, 6))).to.deep.equal(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('are never all one user’s', () => {
    const turns = new Turns({ total: 8, perUser: 4, reserved: 1 });
    turns.ready('a');
    expect(users(take(turns, 5))).to.deep.equal(['a', 'a', 'a', 'a', undefined]);
  });

  it('are given to a user with nothing in flight though the total is reached, up to twice', () => {
    const turns = new Turns({ total: 2, perUser: 2, reserved: 0 });
    turns.ready('a');
    take(turns, 2);
    for (const user of ['b', 'c', 'd']) turns.ready(user);
    expect(users(take(turns, 3))).to.deep.equal(['b', 'c', undefined]);
  });

  it('go first to those who wait, in reserved places too', () => {
    const turns = new Turns({ total: 4, perUser: 2, reserved: 1 });
    turns.ready('a');
    take(turns, 2);
    turns.waits('a', 'w1');
    turns.waits('a', 'w2');
    turns.ready('b');
    expect(turns.next()).to.include({ user: 'a', id: 'w1' });
    expect(users(take(turns, 2))).to.deep.equal(['b', undefined]);
  });

  it('come back when they end', () => {
    const turns = new Turns({ total: 1, perUser: 1, reserved: 0 });
    turns.ready('a');
    const [turn] = take(turns, 1);
    expect(turns.next()).to.be.undefined;
    turns.end(turn!);
    expect(turns.next()?.user).to.equal('a');
  });

  it('are not given again to a user without jobs, unless one came meanwhile', () => {
    const turns = new Turns(limitsFor(4));
    turns.ready('a');
    turns.endEmpty(turns.next()!);
    expect(turns.next()).to.be.undefined;
    turns.ready('a');
    const turn = turns.next()!;
    turns.ready('a');
    turns.endEmpty(turn);
    expect(turns.next()?.user).to.equal('a');
  });

  it('look for the jobs of a user one at a time', () => {
    const turns = new Turns(limitsFor(16));
    turns.ready('a');
    const turn = turns.next()!;
    expect(turns.next()).to.be.undefined;
    turns.found(turn);
    expect(turns.next()?.user).to.equal('a');
  });

  it('stay fair under any load', () => {
    const limits = limitsFor(16);
    const turns = new Turns(limits);
    const inFlight: Turn[] = [];
    const served = new Map<string, number>();
    for (let round = 0; round < 5000; round += 1) {
      for (const user of ['a', 'b', 'c', 'd', 'e']) turns.ready(user);
      for (let turn = turns.next(); turn; turn = turns.next()) {
        turns.found(turn);
        inFlight.push(turn);
        served.set(turn.user, (served.get(turn.user) ?? 0) + 1);
      }
      expect(inFlight.length).to.be.within(1, limits.total);
      turns.end(inFlight.splice((round * 7) % inFlight.length, 1)[0]!);
    }
    const counts = [...served.values()];
    expect(Math.min(...counts) / Math.max(...counts)).to.be.above(0.9);
  });
});
