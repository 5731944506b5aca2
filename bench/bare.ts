import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * The yardstick: node:http and nothing else. It answers every request with a constant of as many bytes as
 * its parent last told it.
 */

let answer = constant(100)

function constant(bytes: number): Buffer {
  const frame = JSON.stringify({ success: true, data: '' })
  return Buffer.from(frame.replace('""', `"${'x'.repeat(Math.max(0, bytes - frame.length))}"`))
}

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length })
  response.end(answer)
})

process.on('message', (bytes: number) => {
  answer = constant(bytes)
  process.send!({ bytes: answer.length })
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
