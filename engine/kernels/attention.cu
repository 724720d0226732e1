// Attention, for the namespace, the number conversions and the instruction that are put in by attention_code.py.
namespace NAMESPACE {
typedef unsigned int u32;
typedef unsigned short u16;
#define TW_DEVICE __device__ __forceinline__
#define TW_LOG2E 1.44269504f
TW_DEVICE float wide(u16 v) { WIDE }
TW_DEVICE float number(const u16* p) { return wide(*p); }
TW_DEVICE float number(const float* p) { return *p; }
TW_DEVICE u32 packed(float low, float high) {
  u32 r; asm("PACK %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low)); return r;
}
TW_DEVICE void copy16(u32 to, const void* from, bool ok) {
  int n = ok ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(n) : "memory");
}
TW_DEVICE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> TW_DEVICE void wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }
TW_DEVICE void tiles(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
TW_DEVICE void turned_tiles(u32 (&r)[4], u32 at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
TW_DEVICE void multiply(float (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("MMA {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
TW_DEVICE float power(float v) { float r; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v)); return r; }
TW_DEVICE float from(float v, int mask) { return __shfl_xor_sync(0xffffffffu, v, mask); }

// D wide; QW warps have 16 queries each, KW warps share the keys, each KT of a tile; STAGES tiles on
// their way. MASK: 0 none, 1 alike for all queries, 2 one for each.
template <int D, int QW, int KW, int KT, int STAGES, int CAUSAL, int MASK, int EMPTY, class M>
TW_DEVICE void attention(const u16* q, const u16* k, const u16* v, const M* mask, u16* o, int queries, int keys,
                         int qrow, int krow, int vrow, int orow, int mrow, int mkey, float scale, u32 shared) {
  constexpr int NT = QW * KW * 32, BQ = 16 * QW, BK = KW * KT, CHUNKS = D / 8, LO = D + 8;
  constexpr bool SWIZZLED = D == 32 || D == 64 || D == 128;
  constexpr int ROW = D * 2 + (SWIZZLED ? 0 : 16);
  const float none = __int_as_float(0xff800000);
  const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, g = lane >> 2, t = lane & 3;
  const int qw = warp % QW, kw = warp / QW, q0 = blockIdx.x * BQ;
  const u32 sq = shared, sk = sq + BQ * ROW, sv = sk + STAGES * BK * ROW, so = sv + STAGES * BK * ROW;
  const u32 sm = so + KW * BQ * LO * 4;

  auto at = [&](u32 base, int row, int chunk) {
    if (SWIZZLED) chunk ^= D == 32 ? (row >> 1) & 3 : row & 7;
    return base + row * ROW + (chunk << 4);
  };
  auto load = [&](u32 to, const u16* what, int stride, int first, int rows, int all) {
#pragma unroll
    for (int i = tid; i < rows * CHUNKS; i += NT) {
      const int r = i / CHUNKS, c = i % CHUNKS;
      const bool ok = first + r < all;
      copy16(at(to, r, c), what + (size_t)(ok ? first + r : 0) * stride + c * 8, ok);
    }
  };
  const int end = CAUSAL && q0 + BQ < keys ? q0 + BQ : keys, count = (end + BK - 1) / BK;
  load(sq, q, qrow, q0, BQ, queries);  // in the first group, with the first keys
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < count) load(sk + s * (BK * ROW), k, krow, s * BK, BK, keys);
    commit();
    if (s < count) load(sv + s * (BK * ROW), v, vrow, s * BK, BK, keys);
    commit();
  }

  u32 fq[D / 16][4];
  float out[D / 8][4], most[2] = {none, none}, sum[2] = {0.0f, 0.0f};
#pragma unroll
  for (int d = 0; d < D / 8; ++d)
#pragma unroll
    for (int e = 0; e < 4; ++e) out[d][e] = 0.0f;

  for (int tile = 0; tile < count; ++tile) {
    if (tile > 0) __syncthreads();
    const int next = tile + STAGES - 1;
    if (next < count) load(sk + (next % STAGES) * (BK * ROW), k, krow, next * BK, BK, keys);
    commit();
    if (next < count) load(sv + (next % STAGES) * (BK * ROW), v, vrow, next * BK, BK, keys);
    commit();
    const int key0 = tile * BK + kw * KT;
    float add[MASK == 2 ? 2 : 1][KT / 8][2], s[KT / 8][4];
#pragma unroll
    for (int j = 0; j < KT / 8; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int key = key0 + j * 8 + t * 2 + e;
#pragma unroll
        for (int h = 0; h < (MASK == 2 ? 2 : 1); ++h) {
          add[h][j][e] = key >= keys ? none : 0.0f;
          const int row = q0 + qw * 16 + g + h * 8;
          if (MASK && key < keys && (MASK == 1 || row < queries)) {
            // the lowest finite number stays finite: rows of it alone have a softmax
            const float m = number(mask + (MASK == 2 ? (size_t)row * mrow : 0) + (size_t)key * mkey);
            add[h][j][e] = m == none ? none : fmaxf(m * TW_LOG2E, -3.0e38f);
          }
        }
      }
#pragma unroll
    for (int j = 0; j < KT / 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) s[j][e] = 0.0f;
    wait<2 * STAGES - 1>();
    __syncthreads();
    if (tile == 0)
#pragma unroll
      for (int d = 0; d < D / 16; ++d) tiles(fq[d], at(sq, qw * 16 + (lane & 15), d * 2 + (lane >> 4)));
    const u32 kb = sk + (tile % STAGES) * (BK * ROW), vb = sv + (tile % STAGES) * (BK * ROW);
#pragma unroll
    for (int d = 0; d < D / 16; ++d)
#pragma unroll
      for (int j = 0; j < KT / 16; ++j) {
        u32 f[4];
        tiles(f, at(kb, kw * KT + j * 16 + (lane & 7) + ((lane >> 4) << 3), d * 2 + ((lane >> 3) & 1)));
        multiply(s[2 * j], fq[d], f[0], f[1]);
        multiply(s[2 * j + 1], fq[d], f[2], f[3]);
      }
    float keep[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = q0 + qw * 16 + g + h * 8;
      float m = most[h];
#pragma unroll
      for (int j = 0; j < KT / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float x = s[j][2 * h + e] * scale + add[MASK == 2 ? h : 0][j][e];
          if (CAUSAL && key0 + j * 8 + t * 2 + e > row) x = none;
          s[j][2 * h + e] = x;
          m = fmaxf(m, x);
        }
      m = fmaxf(m, from(m, 1));
      m = fmaxf(m, from(m, 2));
      const float base = m == none ? 0.0f : m;
      keep[h] = power(most[h] - base);
      most[h] = m;
      float l = sum[h] * keep[h];
#pragma unroll
      for (int j = 0; j < KT / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) { s[j][2 * h + e] = power(s[j][2 * h + e] - base); l += s[j][2 * h + e]; }
      sum[h] = l;
    }
    if (tile > 0)
#pragma unroll
      for (int d = 0; d < D / 8; ++d) {
        out[d][0] *= keep[0]; out[d][1] *= keep[0]; out[d][2] *= keep[1]; out[d][3] *= keep[1];
      }
    wait<2 * STAGES - 2>();
    __syncthreads();
#pragma unroll
    for (int j = 0; j < KT / 16; ++j) {
      u32 p[4] = {packed(s[2 * j][0], s[2 * j][1]), packed(s[2 * j][2], s[2 * j][3]),
                  packed(s[2 * j + 1][0], s[2 * j + 1][1]), packed(s[2 * j + 1][2], s[2 * j + 1][3])};
#pragma unroll
      for (int d = 0; d < D / 16; ++d) {
        u32 f[4];
        turned_tiles(f, at(vb, kw * KT + j * 16 + (lane & 15), d * 2 + (lane >> 4)));
        multiply(out[2 * d], p, f[0], f[1]);
        multiply(out[2 * d + 1], p, f[2], f[3]);
      }
    }
  }
#pragma unroll
  for (int h = 0; h < 2; ++h) { sum[h] += from(sum[h], 1); sum[h] += from(sum[h], 2); }
  if constexpr (KW == 1) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = q0 + qw * 16 + g + h * 8;
      const float by = EMPTY && sum[h] == 0.0f ? 0.0f : 1.0f / sum[h];
      if (row < queries)
#pragma unroll
        for (int d = 0; d < D / 8; ++d)
          *(u32*)(o + (size_t)row * orow + d * 8 + t * 2) = packed(out[d][2 * h] * by, out[d][2 * h + 1] * by);
    }
  } else {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int r = kw * BQ + qw * 16 + g + h * 8;
      if (t == 0) asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(sm + r * 8), "f"(most[h]), "f"(sum[h]) : "memory");
#pragma unroll
      for (int d = 0; d < D / 8; ++d)
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(so + (r * LO + d * 8 + t * 2) * 4),
                     "f"(out[d][2 * h]), "f"(out[d][2 * h + 1]) : "memory");
    }
    __syncthreads();
    for (int i = tid; i < BQ * CHUNKS; i += NT) {
      const int r = i / CHUNKS, c = i % CHUNKS;
      float m = none, l = 0.0f, w[KW], part[KW], x[8];
#pragma unroll
      for (int n = 0; n < KW; ++n) {
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(w[n]), "=f"(part[n]) : "r"(sm + (n * BQ + r) * 8) : "memory");
        m = fmaxf(m, w[n]);
      }
      m = m == none ? 0.0f : m;
#pragma unroll
      for (int n = 0; n < KW; ++n) { w[n] = power(w[n] - m); l += w[n] * part[n]; }
      l = EMPTY && l == 0.0f ? 0.0f : 1.0f / l;
#pragma unroll
      for (int e = 0; e < 8; e += 2) {
        x[e] = x[e + 1] = 0.0f;
#pragma unroll
        for (int n = 0; n < KW; ++n) {
          float a, b;
          asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b)
                       : "r"(so + ((n * BQ + r) * LO + c * 8 + e) * 4) : "memory");
          x[e] += w[n] * a; x[e + 1] += w[n] * b;
        }
        x[e] *= l; x[e + 1] *= l;
      }
      if (q0 + r < queries)
        *(uint4*)(o + (size_t)(q0 + r) * orow + c * 8) =
            make_uint4(packed(x[0], x[1]), packed(x[2], x[3]), packed(x[4], x[5]), packed(x[6], x[7]));
    }
  }
}
#undef TW_DEVICE
#undef TW_LOG2E
}  // namespace NAMESPACE
