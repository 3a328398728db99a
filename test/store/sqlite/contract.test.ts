import { jobStoreContract } from '../job-store-contract.js';
import { openForTest } from './open-for-test.js';

describe('The job store in SQLite', () => jobStoreContract(openForTest));
