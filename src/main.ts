#!/usr/bin/env node
/** The bin. */
import { run } from './program.ts';

process.exit(await run());
