import { createProcessIo } from '../../adapters/cli/io.ts'
import { withStop } from '../../adapters/cli/with-stop.ts'

// Ignores signals and works for a minute.
const io = createProcessIo()
await withStop({ io, message: 'never said' }, async () => {
  io.result('working')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
