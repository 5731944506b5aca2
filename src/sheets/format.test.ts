// Runs once: what it shows does not depend on the engine.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writtenWorkbook } from '../../test/workbooks.ts'
import { formatOf } from './format.ts'
import { SheetRefusal } from './refusal.ts'

describe('what a file is', () => {
  const formatted = (head: string | Uint8Array) => {
    try {
      return formatOf(Buffer.from(head))
    } catch (error) {
      assert.ok(error instanceof SheetRefusal)
      assert.match(error.detail, /^[A-Z].*\.$/)
      return error.code
    }
  }

  it('is told by how it begins, whatever its name', async () => {
    assert.equal(formatted('name,class\n'), 'text')
    assert.equal(formatted('PK;Name;Klasse\n1;Ada;7a\n'), 'text')
    assert.equal(formatted('\uFEFFname'), 'text')
    assert.equal(formatted(Buffer.from('\uFEFFname', 'utf16le')), 'text')
    assert.equal(formatted(Buffer.from([0xfe, 0xff, 0, 0x61])), 'text')
    assert.equal(formatted(Buffer.from('Zoë', 'latin1')), 'text')
    assert.equal(formatted(await writtenWorkbook({ sheets: [] })), 'xlsx')
  })

  it('can be what is not read: each has a code and says what to do', () => {
    const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const encrypted = Buffer.concat([compound, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')])
    const ods = `PK\x03\x04${'\0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`
    const heads: readonly [string | Uint8Array, string][] = [
      ['', 'empty_file'],
      [encrypted, 'encrypted_file'],
      [Buffer.concat([compound, Buffer.from('Workbook', 'utf16le')]), 'old_excel_file'],
      [ods, 'open_document'],
      ['PK\x05\x06', 'damaged_file'],
      ['%PDF-1.7', 'not_a_table'],
      ['{\\rtf1', 'not_a_table'],
      [Buffer.from('89504e470d0a1a0a', 'hex'), 'not_a_table'],
      [Buffer.from('ffd8ffe0', 'hex'), 'not_a_table'],
      [Buffer.from('1f8b0800', 'hex'), 'not_a_table'],
      ['\n <html><table><tr>', 'not_a_table'],
      ['<?xml version="1.0"?><Workbook/>', 'not_a_table'],
      [Buffer.from([1, 2, 0, 3]), 'not_a_table'],
    ]
    for (const [head, code] of heads) assert.equal(formatted(head), code)
  })
})
