import { describe, expect, test } from 'vitest';
import { readQueryValue } from './exchange.ts';

describe('R050 the query parameter', () => {
  test.each([
    ['/mcp?project_path=/a', '/a'],
    ['/mcp?x=1&project_path=/a%20b&y=2', '/a b'],
    ['/mcp?project_path=/c++', '/c++'],
    ['/mcp?project_path=/a%2Fb', '/a/b'],
    ['/mcp?project_path=%2Fa%2520b', '/a%20b'],
    ['/mcp?project_path=/a%', '/a%'],
    ['/mcp?project_path=', ''],
    ['/mcp?project_path', ''],
    ['/mcp?project_path=/a&project_path=/b', ['/a', '/b']],
    ['/mcp?project_path=/a&project_path=%2Fa', '/a'],
    ['/mcp?project%5Fpath=/a', '/a'],
    ['/mcp?project%5fpath=/a&project_path=/b', ['/a', '/b']],
    ['/mcp?my_project_path=/a', undefined],
    ['/mcp', undefined],
  ])('of %s is %j', (url, value) => {
    expect(readQueryValue(url, 'project_path')).toEqual(value);
  });
});
