;; Dot products of one query with many rows: int8 rows, int16 query, int32 sums. All integers, so that this and the plain
;; JavaScript agree to the last bit. Dimensions are a multiple of 16; the caller sees to that.
(module
  (memory (export "memory") 1)
  (func (export "scan")
    (param $rows i32) (param $count i32) (param $dims i32) (param $query i32) (param $out i32)
    (local $end i32) (local $q i32) (local $row v128) (local $low v128) (local $high v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $rows) (local.get $dims)))
        (loop $next_16
          (local.set $row (v128.load (local.get $rows)))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $row)) (v128.load (local.get $q)))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $row)) (v128.load offset=16 (local.get $q)))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $next_16 (i32.lt_u (local.get $rows) (local.get $end))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
            (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next_row)))))
