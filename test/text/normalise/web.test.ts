import { itReads } from '../said.js';

describe('addresses, handles, hashtags, Markdown', () => {
  itReads('en-US', [
    ['#100DaysOfCode', 'hashtag one hundred Days Of Code'],
    ['#ff0000', 'hash F.F zero zero zero zero'],
    ['#FFF', 'hash F.F.F'],
    ['#1e90ff', 'hash one E nine zero F.F'],
    ['the color #336699', 'the color hash three three six six nine nine'],
    ['#decade', 'hashtag decade'],
    ['#1 fan', 'number one fan'],
    ['https://www.example.com', 'example dot com'],
    ['http://example.org/a/b', 'example dot org slash eigh slash B'],
    ['https://github.com/nodejs/node', 'github dot com slash nodejs slash node'],
    ['Visit www.example.com.', 'Visit example dot com'],
    ['(see example.io)', 'see example dot I.O'],
    ['john.doe42@example.co.uk', 'john dot doe forty-two at example dot co dot U.K'],
    ['index.html', 'index dot H.T.M.L'],
    ['Node.js', 'Node dot J.S'],
    ['@john_doe', 'at john underscore doe'],
    ['#ThrowbackThursday', 'hashtag Throwback Thursday'],
    ['#1', 'number one'],
    ['https://example.com/' + 'a1b2'.repeat(40), 'example dot com'],
    ['[the docs](https://example.com/a)', 'the docs'],
    ['**bold** and *italic*', 'bold and italic'],
    ['# Title', 'Title'],
    ['`code`', 'code'],
  ]);
  itReads('id', [
    ['#ff0000', 'pagar F.F nol nol nol nol'],
    ['www.contoh.co.id', 'contoh titik co titik I.D'],
    ['budi_99@mail.com', 'budi garis bawah sembilan puluh sembilan et mail titik com'],
    ['#IndonesiaMaju', 'tagar Indonesia Maju'],
  ]);
});
