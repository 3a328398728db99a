import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { Accounts, DEFAULT_USER } from '../../src/accounts/accounts.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { openForTest } from '../store/sqlite/open-for-test.js';

const NOON = Date.UTC(2024, 4, 1, 12);

describe('Accounts', () => {
  let store: ReturnType<typeof openForTest>;
  let accounts: Accounts;
  beforeEach(() => {
    store = openForTest();
    store.clock.now = NOON;
    accounts = new Accounts(store.accounts, () => store.clock.now);
  });
  afterEach(() => store.close());

  const coded = (code: string, work: () => unknown): void => {
    expect(work).to.throw().with.property('code', code);
  };

  describe('keys', () => {
    it('tell the user and what is allowed', () => {
      const { key, facts } = accounts.createKey({ user: 'ana', name: 'laptop', scopes: ['read'] });
      expect(key).to.match(/^lt_[A-Za-z0-9_-]{43}$/);
      expect(facts.hint).to.equal(key.slice(0, 7));
      expect(accounts.authenticate(key)).to.deep.equal({ user: 'ana', keyId: facts.id, scopes: ['read'] });
    });

    it('are several to a user, each with its own scopes, all when left out', () => {
      const [a, b] = ['a', 'b'].map((name) => accounts.createKey({ user: 'ana', name }));
      expect(a!.key).not.to.equal(b!.key);
      expect(accounts.authenticate(b!.key)?.scopes).to.deep.equal(['submit', 'read', 'admin']);
      expect(accounts.keys('ana').map(({ name }) => name)).to.have.members(['a', 'b']);
      expect(accounts.keys('budi')).to.deep.equal([]);
    });

    it('are nobody’s when unknown, cut, or spelt otherwise', () => {
      const { key } = accounts.createKey({ user: 'ana', name: 'a' });
      for (const wrong of ['', 'lt_', key.slice(0, -1), `${key} `, key.toUpperCase(), `${key}\0`])
        expect(accounts.authenticate(wrong), wrong).to.be.undefined;
    });

    it('are nowhere in the database, nor in what is listed', () => {
      const { key, facts } = accounts.createKey({ user: 'ana', name: 'a' });
      const bytes = ['', '-wal'].map((end) => readFileSync(`${store.file}${end}`, 'latin1')).join('');
      expect(bytes).to.include(facts.hint).and.not.to.include(key);
      expect(JSON.stringify(facts)).not.to.include(key).and.not.to.include('hash');
    });

    it('end at their time', () => {
      const { key } = accounts.createKey({ user: 'ana', name: 'a', expiresAt: NOON + 1000 });
      expect(accounts.authenticate(key)).not.to.be.undefined;
      store.clock.now += 1000;
      expect(accounts.authenticate(key)).to.be.undefined;
    });

    it('are refused at once when another process revokes them', async () => {
      const { key, facts } = accounts.createKey({ user: 'ana', name: 'a' });
      const other = openSqliteStore({ file: store.file });
      new Accounts(other.accounts).revokeKey(facts.id.slice(0, 8));
      await other.close();
      expect(accounts.authenticate(key)).to.be.undefined;
      expect(accounts.keys('ana')[0]?.revokedAt).to.be.a('number');
      coded('key_not_found', () => accounts.revokeKey(facts.id));
      coded('key_not_found', () => accounts.revokeKey(''));
    });

    it('tell when they were last used, once that is written down', () => {
      const { key } = accounts.createKey({ user: 'ana', name: 'a' });
      accounts.authenticate(key);
      expect(accounts.keys('ana')[0]?.lastUsedAt).to.be.undefined;
      accounts.noteUse();
      expect(accounts.keys('ana')[0]?.lastUsedAt).to.equal(NOON);
    });

    it('need a user', () => coded('user_not_found', () => accounts.createKey({ user: 'nobody', name: 'a' })));
  });

  describe('the first start', () => {
    it('makes a default user and a key, and tells it once', () => {
      const { madeKey } = accounts.prepare();
      expect(accounts.authenticate(madeKey!)?.user).to.equal(DEFAULT_USER);
      expect(accounts.prepare()).to.deep.equal({});
    });

    it('takes a key from outside, and lets the one before go', () => {
      expect(accounts.prepare('given from outside')).to.deep.equal({});
      accounts.prepare('given from outside');
      expect(accounts.keys()).to.have.length(1);
      accounts.prepare('another');
      expect(accounts.authenticate('given from outside')).to.be.undefined;
      expect(accounts.authenticate('another')?.user).to.equal(DEFAULT_USER);
      accounts.prepare('given from outside');
      expect(accounts.authenticate('given from outside')).not.to.be.undefined;
    });

    it('says so when the key from outside was revoked', () => {
      accounts.prepare('given from outside');
      accounts.revokeKey(accounts.keys()[0]!.id);
      coded('key_revoked', () => accounts.prepare('given from outside'));
    });

    it('tells little of a short key', () => {
      accounts.prepare('abcdefgh');
      expect(accounts.keys()[0]?.hint).to.equal('ab');
    });
  });

  describe('users', () => {
    it('are made once, under a plain name', () => {
      expect(accounts.createUser('citra')).to.deep.equal({
        name: 'citra',
        createdAt: NOON,
        quota: { used: 0, reserved: 0 },
      });
      coded('user_exists', () => accounts.createUser('citra'));
      for (const name of ['', ' x', '../x', 'a\nb', 'x'.repeat(65)])
        coded('invalid_argument', () => accounts.createUser(name));
    });

    it('spend on what is no job, and get back what was for nothing', () => {
      accounts.setQuota('ana', 100);
      accounts.spend('ana', 60);
      coded('quota_insufficient', () => accounts.spend('ana', 41));
      accounts.refund('ana', 10);
      accounts.spend('ana', 50);
      coded('quota_empty', () => accounts.spend('ana', 1));
      expect(accounts.user('ana').quota).to.deep.equal({ limit: 100, used: 100, reserved: 0 });
      accounts.refund('ana', 1000);
      expect(accounts.user('ana').quota.used).to.equal(0);
      coded('user_not_found', () => accounts.spend('nobody', 1));
    });

    it('without a quota spend what they like, and it is counted', () => {
      accounts.spend('budi', 1_000_000);
      expect(accounts.user('budi').quota).to.deep.equal({ used: 1_000_000, reserved: 0 });
    });

    it('have a quota that can be set, lifted and begun anew', () => {
      expect(accounts.setQuota('ana', 100).quota).to.deep.equal({ limit: 100, used: 0, reserved: 0 });
      expect(accounts.setQuota('ana', undefined).quota).to.deep.equal({ used: 0, reserved: 0 });
      for (const limit of [-1, 1.5, NaN, Infinity])
        coded('invalid_argument', () => accounts.setQuota('ana', limit));
      coded('user_not_found', () => accounts.setQuota('nobody', 1));
      coded('user_not_found', () => accounts.resetUsage('nobody'));
      accounts.spend('ana', 7);
      expect(accounts.resetUsage('ana').quota.used).to.equal(0);
    });
  });
});
