import { itReads } from '../said.js';

describe('versions and network addresses', () => {
  itReads('en-US', [
    ['10.0.0.0/8', 'one zero dot zero dot zero dot zero slash eight'],
    ['1.2.3', 'one point two point three'],
    ['v2', 'version two'],
    ['v2.0', 'version two point zero'],
    ['v1.10.3', 'version one point ten point three'],
    ['Python 3.11', 'Python three point eleven'],
    ['192.168.1.1', 'one nine two dot one six eight dot one dot one'],
  ]);
  itReads('id', [
    ['1.2.3', 'satu titik dua titik tiga'],
    ['versi 2.10', 'versi dua titik sepuluh'],
    ['Android 4.4', 'Android empat titik empat'],
    ['1.234.567', 'satu juta dua ratus tiga puluh empat ribu lima ratus enam puluh tujuh'],
  ]);
});
