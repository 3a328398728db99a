import { expect } from 'chai';
import { subRip, webVtt } from '../../src/http/subtitles.js';

describe('http/subtitles', () => {
  const cues = [
    { start: 0, end: 1.25, text: 'Good <morning> & welcome.' },
    { start: 3661.9996, end: 3662.5, text: 'Two\n\nlines --> one.' },
  ];

  it('writes SubRip', () => {
    expect(subRip(cues)).to.equal(
      '1\n00:00:00,000 --> 00:00:01,250\nGood <morning> & welcome.\n\n' +
        '2\n01:01:02,000 --> 01:01:02,500\nTwo lines --> one.\n',
    );
  });

  it('writes WebVTT with its markup escaped', () => {
    expect(webVtt(cues)).to.equal(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nGood &lt;morning&gt; &amp; welcome.\n\n' +
        '01:01:02.000 --> 01:01:02.500\nTwo lines --&gt; one.\n',
    );
  });

  it('writes a file without cues', () => {
    expect(subRip([])).to.equal('');
    expect(webVtt([])).to.equal('WEBVTT\n');
  });
});
