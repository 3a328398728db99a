import { itReads } from '../said.js';

describe('acronyms', () => {
  itReads('en-US', [
    ['H2SO4', 'H two S O four'],
    ['C6H12O6', 'C six H twelve O six'],
    ['CO2', 'C.O two'],
    ['B2B', 'B two B'],
    ['the WHO said', 'the W.H.O said'],
    ['page iv', 'page four'],
    ['Chapter ii', 'Chapter two'],
    ['the FBI', 'the F.B.I'],
    ['NASA', 'Nasa'],
    ['NATO', 'Nato'],
    ['the US economy', 'the U.S economy'],
    ['the IT department', 'the I.T department'],
    ['HTML', 'H.T.M.L'],
    ['CEOs', "C.E.O's"],
    ['AT&T', 'A.T and T'],
    ['Q&A', 'Q and eigh'],
    ['MP3', 'M.P three'],
    ['H2O', 'H two O'],
    ['CO2', 'C.O two'],
    ['3D', 'three D'],
    ['5G', 'five G'],
    ['A4', 'eigh four'],
    ['COVID-19', 'Covid nineteen'],
    ['plan A is better', 'plan eigh is better'],
    ['A dog', 'A dog'],
    ['I said NO', 'I said no'],
    ['STOP SHOUTING NOW', 'STOP SHOUTING now'],
  ]);
  itReads('id', [
    ['KPK', 'K.P.K'],
    ['TNI', 'T.N.I'],
    ['PT Telkom', 'P.T Telkom'],
    ['UMKM', 'U.M.K.M'],
    ['BPJS', 'B.P.J.S'],
    ['KUHP', 'K.U.H.P'],
    ['ASEAN', 'Asean'],
    ['RT 03/RW 04', 'R.T nol tiga R.W nol empat'],
  ]);
});
