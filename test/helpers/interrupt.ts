import process from 'node:process'

/**
 * Notes who listens for Ctrl-C, and gives what interrupts those alone who listen besides since then:
 * packages that other files have loaded into this process would end it.
 */
export function noteInterruptible(): () => void {
  const others = new Set(process.listeners('SIGINT'))
  return () => {
    for (const listener of process.listeners('SIGINT')) {
      if (!others.has(listener)) listener('SIGINT')
    }
  }
}
