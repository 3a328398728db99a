import { itReads } from '../said.js';

describe('fractions', () => {
  itReads('en-US', [
    ['a 50/50 chance', 'a fifty fifty chance'],
    ['a 5/8" bolt', 'a five eighths of an inch bolt'],
    ['3-1/2"', 'three and a half inches'],
    ['He wrote "1/2" there', 'He wrote one half there'],
    ['20/20 vision', 'twenty twenty vision'],
    ['20/40 vision', 'twenty forty vision'],
    ['24/7/365', 'twenty-four seven three sixty-five'],
    ['1/2', 'one half'],
    ['1/4', 'one quarter'],
    ['3/4 cup', 'three quarters cup'],
    ['2/3', 'two thirds'],
    ['5/8', 'five eighths'],
    ['1/100', 'one one hundredth'],
    ['2 1/2', 'two and a half'],
    ['1 3/4', 'one and three quarters'],
    ['½', 'one half'],
    ['3½', 'three and a half'],
    ['¾', 'three quarters'],
    ['1/2 kg', 'half a kilogram'],
    ['3/4 h', 'three quarters of an hour'],
    ['2½ kg', 'two and a half kilograms'],
    ['1/2 tsp salt', 'half a teaspoon salt'],
    ['24/7', 'twenty-four seven'],
    ['9/11', 'nine eleven'],
    ['120/80', 'one hundred twenty over eighty'],
  ]);
  itReads('id', [
    ['1/2', 'setengah'],
    ['1/4', 'seperempat'],
    ['3/4', 'tiga perempat'],
    ['2 1/2', 'dua setengah'],
    ['½', 'setengah'],
    ['1/2 kg', 'setengah kilogram'],
    ['2 1/2 kg', 'dua setengah kilogram'],
    ['5/12', 'lima per dua belas'],
  ]);
});
