import { createHook } from 'node:async_hooks'

/** Objects such as `process.nextTick` queues. */
const kept = new Set<object>()

/**
 * Has V8 remember the shape of the objects that `process.nextTick` queues, by keeping one. Else it forgets the shape
 * with the last of them, when the old generation is collected while none is queued; it then takes those that follow
 * for objects of many shapes, and never writes them quickly again: a tick costs 560 ns and not 200, and a request has
 * seven.
 */
export function keepTickShape(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept.add(resource)
    },
    trackPromises: false,
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
}
