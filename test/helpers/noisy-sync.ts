import { stdout } from 'node:process'

// Prints what `sync all --json` prints at its end, among lines that are no events.
stdout.write('a warning of the runtime\nnull\n')
stdout.write('{"event":"summary","sources":[{"source":"kev","state":"loaded"}]}\n')
stdout.write('42\n')
