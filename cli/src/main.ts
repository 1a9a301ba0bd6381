#!/usr/bin/env node
import { main } from './cli.ts';
import { processEnv } from './env.ts';

process.exitCode = await main(processEnv, process.argv.slice(2));
