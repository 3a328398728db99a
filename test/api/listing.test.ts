import { expect } from 'chai';
import { untilSettled } from './polling.js';
import { startApi } from './server.js';
import type { Api } from './users.js';

describe('api: list and count', () => {
  let api: Api;
  const ids: string[] = [];
  const texts = [
    'Zebra 100% sure.',
    'apple_pie',
    'Straße',
    'ÄPFEL und Birnen',
    'zebra crossing',
    'plain',
    'Backslash \\ here',
  ];

  before(async () => {
    api = await startApi();
    for (let index = 0; index < 25; index++) {
      const label = index % 3 === 0 ? {} : { label: `label ${index % 5}` };
      const { json } = await api.ann.submit({ text: texts[index % texts.length]!, ...label });
      ids.push(json.job_id as string);
    }
    await Promise.all(ids.map((id) => untilSettled(api.ann, id)));
  });
  after(() => api.close());

  const list = async (query = '') => (await api.ann.get(`/v2/speech/tts${query}`)).json;
  const idsOf = (page: { data: { job_id: string }[] }) => page.data.map(({ job_id }) => job_id);

  it('gives the newest ten by default', async () => {
    const page = await list();
    expect(page.pagination).to.deep.equal({ page: 1, per_page: 10, page_count: 3 });
    expect(page.length).to.equal(25);
    expect(idsOf(page)).to.deep.equal(ids.slice(-10).reverse());
  });

  it('gives jobs without audio and model', async () => {
    const [job] = (await list('?per_page=1')).data;
    expect(Object.keys(job)).to.deep.equal([
      'job_id',
      'status',
      'created_at',
      'modified_at',
      'request',
      'result',
      'job_config',
    ]);
    expect(Object.keys(job.result)).to.deep.equal(['format', 'duration', 'samplerate', 'channels']);
  });

  for (const sort of ['time', 'label', 'text']) {
    for (const ascending of [true, false]) {
      it(`sorts by ${sort} ${ascending ? 'up' : 'down'}: pages never overlap and leave nothing out`, async () => {
        const query = `?sort_by=${sort}&sort_ascend=${ascending}`;
        const whole = idsOf(await list(`${query}&per_page=100`));
        expect(whole).to.have.members(ids);
        const paged: string[] = [];
        for (let page = 1; page <= 7; page++)
          paged.push(...idsOf(await list(`${query}&per_page=4&page=${page}`)));
        expect(paged).to.deep.equal(whole);
      });
    }
  }

  it('reverses the order exactly, ties too', async () => {
    for (const sort of ['time', 'label', 'text']) {
      const up = idsOf(await list(`?sort_by=${sort}&sort_ascend=1&per_page=100`));
      const down = idsOf(await list(`?sort_by=${sort}&sort_ascend=0&per_page=100`));
      expect(down, sort).to.deep.equal(up.reverse());
    }
  });

  it('keeps a page stable while jobs arrive', async () => {
    const first = idsOf(await list('?sort_ascend=true&per_page=5'));
    const { json } = await api.ann.submit({ text: 'A later one.' });
    expect(idsOf(await list('?sort_ascend=true&per_page=5'))).to.deep.equal(first);
    await untilSettled(api.ann, json.job_id);
    await api.ann.delete(`/v2/speech/tts/${json.job_id}`);
  });

  it('gives an empty page past the end', async () => {
    for (const page of [4, 1000, 1_000_000_000]) {
      const past = await list(`?page=${page}`);
      expect([past.data, past.length, past.pagination]).to.deep.equal([
        [],
        25,
        { page, per_page: 10, page_count: 3 },
      ]);
    }
  });

  it('gives page_count 0 where nothing matches', async () => {
    const none = await list('?query_text=nothing-like-this');
    expect(none).to.deep.equal({ pagination: { page: 1, per_page: 10, page_count: 0 }, length: 0, data: [] });
  });

  const searches: [query: string, found: string[]][] = [
    ['zebra', ['Zebra 100% sure.', 'zebra crossing']],
    ['ZEBRA C', ['zebra crossing']],
    ['100%', ['Zebra 100% sure.']],
    ['%', ['Zebra 100% sure.']],
    ['_', ['apple_pie']],
    ['e_p', ['apple_pie']],
    ['äpfel', ['ÄPFEL und Birnen']],
    ['\\', ['Backslash \\ here']],
    ['"', []],
    ["' OR 1=1 --", []],
    ['*', []],
    ['a', texts.filter((text) => /a/i.test(text))],
  ];
  for (const [query, found] of searches) {
    it(`finds ${JSON.stringify(query)}`, async () => {
      const encoded = encodeURIComponent(query);
      const page = await list(`?per_page=100&query_text=${encoded}`);
      const seen = new Set(page.data.map((job: { request: { text: string } }) => job.request.text));
      expect([...seen]).to.have.members(found);
      const count = await api.ann.get(`/v2/speech/tts/count?query_text=${encoded}`);
      expect([count.json, page.length]).to.deep.equal([page.data.length, page.data.length]);
    });
  }

  it('filters by UTC days, both inclusive', async () => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const count = async (query: string) =>
      (await api.ann.get(`/v2/speech/tts/count?${query}`)).json as number;
    // Midnight may have passed since the jobs were made: yesterday to tomorrow holds them in any case.
    expect(await count(`from_date=${day(-1)}&until_date=${day(1)}`)).to.equal(25);
    expect(await count(`from_date=${day(2)}`)).to.equal(0);
    expect(await count(`until_date=${day(-2)}`)).to.equal(0);
    const [{ created_at }] = (await list('?per_page=1')).data;
    const itsDay = created_at.slice(0, 10) as string;
    expect(await count(`from_date=${itsDay}&until_date=${itsDay}`)).to.be.at.least(1);
    expect(await count(`from_date=${day(1)}&until_date=${day(-1)}`)).to.equal(0);
  });

  it('counts as a bare integer', async () => {
    const { bytes, headers } = await api.ann.get('/v2/speech/tts/count');
    expect([bytes.toString(), headers.get('content-type')]).to.deep.equal([
      '25',
      'application/json; charset=utf-8',
    ]);
  });
});
