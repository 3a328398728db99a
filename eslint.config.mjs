import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'build/', 'data/', 'node_modules/', 'models/'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      'max-lines-per-function': ['warn', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
    },
  },
  {
    files: ['src/cli/**/*.ts', 'benchmarks/**/*.ts', 'src/setup/**/*.mjs'],
    rules: { 'no-console': 'off' },
  },
  {
    // Chai's property assertions and mocha's nested callbacks are expressions and long functions by design.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      'max-lines-per-function': 'off',
    },
  },
);
