// A transformer layer's kernels by hand, float16, for sm_90: products with their epilogues, attention, layer norm.
// No headers: float16 is `h16`, converted by PTX. Shared memory is reached by 32-bit addresses.
typedef unsigned int u32;
typedef unsigned short h16;
#define DEV __device__ __forceinline__
struct F2 { float x, y; };
extern __shared__ __align__(1024) unsigned char smem_raw[];
DEV u32 smem_base() { return (u32)__cvta_generic_to_shared(smem_raw); }
DEV int TID() { return threadIdx.x; }
DEV int BX() { return blockIdx.x; }
DEV int BY() { return blockIdx.y; }
DEV int BZ() { return blockIdx.z; }
DEV void sync() { __syncthreads(); }
DEV void cl_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
DEV void cl_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
DEV void cl_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
DEV void gdc_wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
DEV void gdc_launch() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
DEV u32 mapa(u32 a, u32 rank) { u32 r; asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(rank)); return r; }
DEV void st_cl_f2(u32 a, float x, float y) { asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" :: "r"(a), "f"(x), "f"(y) : "memory"); }
DEV void sts_f2(u32 a, float x, float y) { asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(a), "f"(x), "f"(y) : "memory"); }
DEV F2 lds_f2(u32 a) { F2 r; asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(r.x), "=f"(r.y) : "r"(a) : "memory"); return r; }
DEV u32 ldg32(const void* p) { u32 r; asm volatile("ld.global.cg.b32 %0, [%1];" : "=r"(r) : "l"(p) : "memory"); return r; }
DEV h16 ldg16(const void* p) { h16 r; asm volatile("ld.global.b16 %0, [%1];" : "=h"(r) : "l"(p) : "memory"); return r; }
DEV void stg32(void* p, u32 v) { asm volatile("st.global.b32 [%0], %1;" :: "l"(p), "r"(v) : "memory"); }
DEV void stg128(void* p, u32 a, u32 b, u32 c, u32 d) { asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" :: "l"(p), "r"(a), "r"(b), "r"(c), "r"(d) : "memory"); }
DEV void cp16(u32 to, const void* from, bool ok) {
  int n = ok ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(n) : "memory");
}
DEV void cp_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> DEV void cp_wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }
DEV void ldm4(u32 (&r)[4], u32 a) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a) : "memory");
}
DEV void ldm4t(u32 (&r)[4], u32 a) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(a) : "memory");
}
DEV void mma(float (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
DEV float shx(float v, int m) { return __shfl_xor_sync(0xffffffffu, v, m); }
DEV float ex2(float v) { float r; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v)); return r; }
DEV float h2f(h16 v) { float r; asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(v)); return r; }
DEV u32 pack(float lo, float hi) { u32 r; asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(hi), "f"(lo)); return r; }
#define NEG_INF __int_as_float(0xff800000)

DEV float lo(u32 v) { return h2f((h16)(v & 0xffff)); }
DEV float hi(u32 v) { return h2f((h16)(v >> 16)); }
DEV float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
DEV float warp_sum(float v) {
#pragma unroll
  for (int m = 16; m; m >>= 1) v += shx(v, m);
  return v;
}

// C[M][N] = epilogue(A[M][K] * W[N][K]^T). Grid (N/BN, ceil(M/BM), SK), clusters of (CN, 1, SK).
// EPI 0: + bias; 1: GELU(+ bias); 2: + bias + res; 3: layer norm of (+ bias + res), a cluster holds whole rows (CN*BN == N).
// Warps WM x WN x WK: the WK share every BK. flags & 1: let the next kernel start at once; & 2: after the sums (with PDL).
template <int BM, int BN, int BK, int ST, int WM, int WN, int WK, int SK, int CN, int EPI>
DEV void gemm(const h16* A, const h16* W, const h16* bias, const h16* res, const h16* gamma, const h16* beta, h16* C,
              int M, int N, int K, int flags) {
  constexpr int NW = WM * WN * WK, NT = NW * 32, WTM = BM / WM, WTN = BN / WN, MI = WTM / 16, NJ = WTN / 8;
  constexpr int KS = BK / 16 / WK, CH = BK / 8, RS = BM / SK, LD = BN + 8;
  constexpr int RPW = (RS + NW - 1) / NW, CP = (BN + 63) / 64;
  constexpr bool LN = EPI == 3, RES = EPI >= 2, CLUSTER = SK * CN > 1, SLAB = LN || SK > 1 || WK > 1;
  static_assert(WTM % 16 == 0 && WTN % 16 == 0 && (BK / 16) % WK == 0 && BM % SK == 0 && ST >= 2 && BK % 64 == 0, "tile");
  static_assert(LN || CN == 1, "clusters along N are for the norm only");
  const int tid = TID(), lane = tid & 31, warp = tid >> 5, g = lane >> 2, t4 = lane & 3;
  const int wk = warp / (WM * WN), wm = warp % (WM * WN) / WN, wn = warp % WN;
  const int n0 = BX() * BN, m0 = BY() * BM, z = SK > 1 ? BZ() : 0, kt = K / (BK * SK), k0 = z * kt * BK;
  const u32 sA = smem_base(), sB = sA + ST * BM * BK * 2, sR = sB + ST * BN * BK * 2, sS = sR + SK * WK * RS * LD * 4;
  if (CLUSTER) cl_arrive_relaxed();
  if (flags & 1) gdc_launch();

  auto load_a = [&](int t) {
    u32 to = sA + (t % ST) * (BM * BK * 2);
#pragma unroll
    for (int i = tid; i < BM * CH; i += NT) {
      int r = i / CH, c = i % CH;
      bool ok = m0 + r < M;
      cp16(to + r * (BK * 2) + ((c ^ (r & 7)) << 4), A + (size_t)(ok ? m0 + r : 0) * K + k0 + t * BK + c * 8, ok);
    }
  };
  auto load_b = [&](int t) {
    u32 to = sB + (t % ST) * (BN * BK * 2);
#pragma unroll
    for (int i = tid; i < BN * CH; i += NT) {
      int r = i / CH, c = i % CH;
      cp16(to + r * (BK * 2) + ((c ^ (r & 7)) << 4), W + (size_t)(n0 + r) * K + k0 + t * BK + c * 8, true);
    }
  };
  if (flags & 3) {  // weights do not depend on the kernel before
#pragma unroll
    for (int s = 0; s < ST - 1; ++s) if (s < kt) load_b(s);
    gdc_wait();
#pragma unroll
    for (int s = 0; s < ST - 1; ++s) { if (s < kt) load_a(s); cp_commit(); }
  } else {
#pragma unroll
    for (int s = 0; s < ST - 1; ++s) { if (s < kt) { load_a(s); load_b(s); } cp_commit(); }
  }

  // What the epilogue takes, asked for before it is needed.
  u32 vb[SLAB ? CP : 1], vr[SLAB && RES ? RPW : 1][SLAB && RES ? CP : 1], vg[LN ? CP : 1], ve[LN ? CP : 1];
  if constexpr (SLAB) {
#pragma unroll
    for (int c = 0; c < CP; ++c) {
      int col = 2 * (lane + 32 * c);
      bool in = col < BN;
      vb[c] = in ? ldg32(bias + n0 + col) : 0;
      if constexpr (LN) { vg[c] = in ? ldg32(gamma + n0 + col) : 0; ve[c] = in ? ldg32(beta + n0 + col) : 0; }
      if constexpr (RES)
#pragma unroll
        for (int i = 0; i < RPW; ++i) {
          int r = warp + NW * i, row = m0 + z * RS + r;
          vr[i][c] = in && r < RS && row < M ? ldg32(res + (size_t)row * N + n0 + col) : 0;
        }
    }
  }

  float acc[MI][NJ][4];
#pragma unroll
  for (int i = 0; i < MI; ++i)
#pragma unroll
    for (int j = 0; j < NJ; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) acc[i][j][e] = 0.0f;

  const int ra = wm * WTM + (lane & 15), ca = lane >> 4;
  const int rb = wn * WTN + (lane & 7) + ((lane >> 4) << 3), cb = (lane >> 3) & 1;
  for (int t = 0; t < kt; ++t) {
    cp_wait<ST - 2>();
    sync();
    if (t + ST - 1 < kt) { load_a(t + ST - 1); load_b(t + ST - 1); }
    cp_commit();
    const u32 a0 = sA + (t % ST) * (BM * BK * 2), b0 = sB + (t % ST) * (BN * BK * 2);
#pragma unroll
    for (int q = 0; q < KS; ++q) {
      const int ks = wk * KS + q;
      u32 fa[MI][4], fb[NJ / 2][4];
#pragma unroll
      for (int i = 0; i < MI; ++i) ldm4(fa[i], a0 + (ra + i * 16) * (BK * 2) + (((ks * 2 + ca) ^ (ra & 7)) << 4));
#pragma unroll
      for (int j = 0; j < NJ / 2; ++j) ldm4(fb[j], b0 + (rb + j * 16) * (BK * 2) + (((ks * 2 + cb) ^ (rb & 7)) << 4));
#pragma unroll
      for (int i = 0; i < MI; ++i)
#pragma unroll
        for (int j = 0; j < NJ; ++j) mma(acc[i][j], fa[i], fb[j / 2][(j & 1) * 2], fb[j / 2][(j & 1) * 2 + 1]);
    }
  }
  if (flags & 2) gdc_launch();

  if constexpr (!SLAB) {
#pragma unroll
    for (int j = 0; j < NJ; ++j) {
      const int col = n0 + wn * WTN + j * 8 + t4 * 2;
      const u32 b = ldg32(bias + col);
#pragma unroll
      for (int i = 0; i < MI; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const int row = m0 + wm * WTM + i * 16 + g + h * 8;
          if (row < M) {
            float x = acc[i][j][2 * h] + lo(b), y = acc[i][j][2 * h + 1] + hi(b);
            if constexpr (EPI == 1) { x = gelu(x); y = gelu(y); }
            if constexpr (RES) { u32 v = ldg32(res + (size_t)row * N + col); x += lo(v); y += hi(v); }
            stg32(C + (size_t)row * N + col, pack(x, y));
          }
        }
    }
  } else {
    if constexpr (CLUSTER) cl_wait();
#pragma unroll
    for (int i = 0; i < MI; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = wm * WTM + i * 16 + g + h * 8;
        u32 to = sR + (((z * WK + wk) * RS + row % RS) * LD + wn * WTN + t4 * 2) * 4;
        if constexpr (SK > 1) to = mapa(to, (CN > 1 ? BX() % CN : 0) + CN * (row / RS));
#pragma unroll
        for (int j = 0; j < NJ; ++j) {
          if constexpr (SK > 1) st_cl_f2(to + j * 32, acc[i][j][2 * h], acc[i][j][2 * h + 1]);
          else sts_f2(to + j * 32, acc[i][j][2 * h], acc[i][j][2 * h + 1]);
        }
      }
    if constexpr (SK > 1) { cl_arrive(); cl_wait(); } else sync();

    float v[RPW][CP][2], mean[RPW], m2[RPW];
#pragma unroll
    for (int i = 0; i < RPW; ++i) {
      const int r = warp + NW * i;
      float sum = 0.0f;
#pragma unroll
      for (int c = 0; c < CP; ++c) {
        const int col = 2 * (lane + 32 * c);
        float x = 0.0f, y = 0.0f;
        if (r < RS && col < BN) {
#pragma unroll
          for (int s = 0; s < SK * WK; ++s) { F2 p = lds_f2(sR + ((s * RS + r) * LD + col) * 4); x += p.x; y += p.y; }
          x += lo(vb[c]); y += hi(vb[c]);
          if constexpr (EPI == 1) { x = gelu(x); y = gelu(y); }
          if constexpr (RES) { x += lo(vr[i][c]); y += hi(vr[i][c]); }
        }
        v[i][c][0] = x; v[i][c][1] = y;
        sum += x + y;
      }
      if constexpr (LN) {
        mean[i] = warp_sum(sum) * (1.0f / BN);
        float q = 0.0f;
#pragma unroll
        for (int c = 0; c < CP; ++c)
          if (2 * (lane + 32 * c) < BN) {
            float x = v[i][c][0] - mean[i], y = v[i][c][1] - mean[i];
            q += x * x + y * y;
          }
        m2[i] = warp_sum(q);
        if constexpr (CN > 1) {
          if (lane < CN && r < RS) st_cl_f2(mapa(sS + (BX() % CN * RS + r) * 8, lane + CN * z), mean[i], m2[i]);
        }
      }
    }
    if constexpr (LN && CN > 1) {
      cl_arrive(); cl_wait();
#pragma unroll
      for (int i = 0; i < RPW; ++i) {
        const int r = warp + NW * i;
        if (r < RS) {
          F2 p[CN];
          float s = 0.0f, q = 0.0f, d = 0.0f;
#pragma unroll
          for (int n = 0; n < CN; ++n) { p[n] = lds_f2(sS + (n * RS + r) * 8); s += p[n].x; q += p[n].y; }
          s *= 1.0f / CN;
#pragma unroll
          for (int n = 0; n < CN; ++n) d += (p[n].x - s) * (p[n].x - s);
          mean[i] = s; m2[i] = q + BN * d;
        }
      }
    }
#pragma unroll
    for (int i = 0; i < RPW; ++i) {
      const int r = warp + NW * i, row = m0 + z * RS + r;
      if (r < RS && row < M) {
        float k = 1.0f;
        if constexpr (LN) k = rsqrtf(m2[i] * (1.0f / (BN * CN)) + 1e-12f);
#pragma unroll
        for (int c = 0; c < CP; ++c) {
          const int col = 2 * (lane + 32 * c);
          if (col < BN) {
            float x = v[i][c][0], y = v[i][c][1];
            if constexpr (LN) { x = (x - mean[i]) * k * lo(vg[c]) + lo(ve[c]); y = (y - mean[i]) * k * hi(vg[c]) + hi(ve[c]); }
            stg32(C + (size_t)row * N + n0 + col, pack(x, y));
          }
        }
      }
    }
  }
}

// softmax(Q K^T * scale + mask) V for one head and 16*QW rows of queries a block; KW warps share the keys of each tile of
// KW*KT, and merge at the end. Q, K, V are rows of `ld` elements as a fused product leaves them; group = heads per key head.
// Grid (ceil(S/(16*QW)), heads). scale is in units of log2(e).
template <int D, int QW, int KW, int KT, int ST, int CAUSAL, int MASK>
DEV void attention(const h16* Q, const h16* Kp, const h16* Vp, const h16* mask, h16* O, int S, int ld, int ldo, int group,
                   float scale, int flags) {
  constexpr int NT = QW * KW * 32, BQ = 16 * QW, BKV = KW * KT, CH = D / 8, LDO = D + 8;
  static_assert(KT % 16 == 0 && (D == 32 || D == 64), "tile");
  const int tid = TID(), lane = tid & 31, warp = tid >> 5, g = lane >> 2, t4 = lane & 3;
  const int qw = warp % QW, kw = warp / QW, head = BY(), q0 = BX() * BQ;
  const u32 sQ = smem_base(), sK = sQ + BQ * D * 2, sV = sK + ST * BKV * D * 2, sO = sV + ST * BKV * D * 2;
  const u32 sM = sO + KW * BQ * LDO * 4;
  const h16 *q_ = Q + head * D, *k_ = Kp + head / group * D, *v_ = Vp + head / group * D;
  if (flags & 1) gdc_launch();
  if (flags & 3) gdc_wait();

  auto at = [&](u32 base, int r, int c) { return base + r * (D * 2) + ((c ^ (D == 64 ? r & 7 : (r >> 1) & 3)) << 4); };
  auto load = [&](u32 to, const h16* from, int row0, int rows) {
#pragma unroll
    for (int i = tid; i < rows * CH; i += NT) {
      int r = i / CH, c = i % CH;
      bool ok = row0 + r < S;
      cp16(at(to, r, c), from + (size_t)(ok ? row0 + r : 0) * ld + c * 8, ok);
    }
  };
  const int last = CAUSAL ? (q0 + BQ < S ? q0 + BQ : S) : S, tiles = (last + BKV - 1) / BKV;
  load(sQ, q_, q0, BQ);  // in the first group, with the first keys
#pragma unroll
  for (int s = 0; s < ST - 1; ++s) {
    if (s < tiles) load(sK + s * (BKV * D * 2), k_, s * BKV, BKV);
    cp_commit();
    if (s < tiles) load(sV + s * (BKV * D * 2), v_, s * BKV, BKV);
    cp_commit();
  }

  u32 fq[D / 16][4];
  float o[D / 8][4], mx[2] = {NEG_INF, NEG_INF}, sum[2] = {0.0f, 0.0f};
#pragma unroll
  for (int d = 0; d < D / 8; ++d)
#pragma unroll
    for (int e = 0; e < 4; ++e) o[d][e] = 0.0f;

  for (int t = 0; t < tiles; ++t) {
    if (t > 0) sync();
    const int n = t + ST - 1;
    if (n < tiles) load(sK + (n % ST) * (BKV * D * 2), k_, n * BKV, BKV);
    cp_commit();
    if (n < tiles) load(sV + (n % ST) * (BKV * D * 2), v_, n * BKV, BKV);
    cp_commit();
    const int key0 = t * BKV + kw * KT;
    float add[KT / 8][2], s[KT / 8][4];
#pragma unroll
    for (int j = 0; j < KT / 8; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int key = key0 + j * 8 + t4 * 2 + e;
        add[j][e] = key >= S ? NEG_INF : MASK ? h2f(ldg16(mask + key)) * 1.44269504f : 0.0f;
      }
#pragma unroll
    for (int j = 0; j < KT / 8; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e) s[j][e] = 0.0f;
    cp_wait<2 * ST - 1>();
    sync();
    if (t == 0)
#pragma unroll
      for (int d = 0; d < D / 16; ++d) ldm4(fq[d], at(sQ, qw * 16 + (lane & 15), d * 2 + (lane >> 4)));
    const u32 kb = sK + (t % ST) * (BKV * D * 2), vb = sV + (t % ST) * (BKV * D * 2);
#pragma unroll
    for (int d = 0; d < D / 16; ++d)
#pragma unroll
      for (int j = 0; j < KT / 16; ++j) {
        u32 f[4];
        ldm4(f, at(kb, kw * KT + j * 16 + (lane & 7) + ((lane >> 4) << 3), d * 2 + ((lane >> 3) & 1)));
        mma(s[2 * j], fq[d], f[0], f[1]);
        mma(s[2 * j + 1], fq[d], f[2], f[3]);
      }
    float keep[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = q0 + qw * 16 + g + h * 8;
      float m = mx[h];
#pragma unroll
      for (int j = 0; j < KT / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float x = s[j][2 * h + e] * scale + add[j][e];
          if (CAUSAL && key0 + j * 8 + t4 * 2 + e > row) x = NEG_INF;
          s[j][2 * h + e] = x;
          m = fmaxf(m, x);
        }
      m = fmaxf(m, shx(m, 1));
      m = fmaxf(m, shx(m, 2));
      const float base = m == NEG_INF ? 0.0f : m;
      keep[h] = ex2(mx[h] - base);
      mx[h] = m;
      float l = sum[h] * keep[h];
#pragma unroll
      for (int j = 0; j < KT / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) { s[j][2 * h + e] = ex2(s[j][2 * h + e] - base); l += s[j][2 * h + e]; }
      sum[h] = l;
    }
    if (t > 0)
#pragma unroll
      for (int d = 0; d < D / 8; ++d) { o[d][0] *= keep[0]; o[d][1] *= keep[0]; o[d][2] *= keep[1]; o[d][3] *= keep[1]; }
    cp_wait<2 * ST - 2>();
    sync();
#pragma unroll
    for (int j = 0; j < KT / 16; ++j) {
      u32 p[4] = {pack(s[2 * j][0], s[2 * j][1]), pack(s[2 * j][2], s[2 * j][3]), pack(s[2 * j + 1][0], s[2 * j + 1][1]),
                  pack(s[2 * j + 1][2], s[2 * j + 1][3])};
#pragma unroll
      for (int d = 0; d < D / 16; ++d) {
        u32 f[4];
        ldm4t(f, at(vb, kw * KT + j * 16 + (lane & 15), d * 2 + (lane >> 4)));
        mma(o[2 * d], p, f[0], f[1]);
        mma(o[2 * d + 1], p, f[2], f[3]);
      }
    }
  }
  if (flags & 2) gdc_launch();
#pragma unroll
  for (int h = 0; h < 2; ++h) { sum[h] += shx(sum[h], 1); sum[h] += shx(sum[h], 2); }
  if constexpr (KW == 1) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = q0 + qw * 16 + g + h * 8;
      const float k = 1.0f / sum[h];
      if (row < S)
#pragma unroll
        for (int d = 0; d < D / 8; ++d)
          stg32(O + (size_t)row * ldo + head * D + d * 8 + t4 * 2, pack(o[d][2 * h] * k, o[d][2 * h + 1] * k));
    }
  } else {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int r = kw * BQ + qw * 16 + g + h * 8;
      if (t4 == 0) sts_f2(sM + r * 8, mx[h], sum[h]);
#pragma unroll
      for (int d = 0; d < D / 8; ++d) sts_f2(sO + (r * LDO + d * 8 + t4 * 2) * 4, o[d][2 * h], o[d][2 * h + 1]);
    }
    sync();
    for (int i = tid; i < BQ * CH; i += NT) {
      const int r = i / CH, c = i % CH;
      float m = NEG_INF, l = 0.0f, w[KW], x[8];
      F2 ml[KW];
#pragma unroll
      for (int k = 0; k < KW; ++k) { ml[k] = lds_f2(sM + (k * BQ + r) * 8); m = fmaxf(m, ml[k].x); }
#pragma unroll
      for (int k = 0; k < KW; ++k) { w[k] = ex2(ml[k].x - m); l += w[k] * ml[k].y; }
      l = 1.0f / l;
#pragma unroll
      for (int e = 0; e < 8; e += 2) {
        x[e] = x[e + 1] = 0.0f;
#pragma unroll
        for (int k = 0; k < KW; ++k) {
          F2 p = lds_f2(sO + ((k * BQ + r) * LDO + c * 8 + e) * 4);
          x[e] += w[k] * p.x; x[e + 1] += w[k] * p.y;
        }
        x[e] *= l; x[e + 1] *= l;
      }
      if (q0 + r < S)
        stg128(O + (size_t)(q0 + r) * ldo + head * D + c * 8, pack(x[0], x[1]), pack(x[2], x[3]), pack(x[4], x[5]), pack(x[6], x[7]));
    }
  }
}

// Layer norm, a warp a row of N (a multiple of 64).
template <int N, int NW> DEV void norm(const h16* X, const h16* gamma, const h16* beta, h16* Y, int M, int flags) {
  constexpr int CP = N / 64;
  const int lane = TID() & 31, row = BX() * NW + (TID() >> 5);
  if (flags & 1) gdc_launch();
  u32 vg[CP], ve[CP];
#pragma unroll
  for (int c = 0; c < CP; ++c) { vg[c] = ldg32(gamma + 2 * (lane + 32 * c)); ve[c] = ldg32(beta + 2 * (lane + 32 * c)); }
  if (flags & 3) gdc_wait();
  if (row >= M) return;
  u32 v[CP];
  float s = 0.0f, q = 0.0f;
#pragma unroll
  for (int c = 0; c < CP; ++c) v[c] = ldg32(X + (size_t)row * N + 2 * (lane + 32 * c));
#pragma unroll
  for (int c = 0; c < CP; ++c) s += lo(v[c]) + hi(v[c]);
  s = warp_sum(s) * (1.0f / N);
#pragma unroll
  for (int c = 0; c < CP; ++c) { float x = lo(v[c]) - s, y = hi(v[c]) - s; q += x * x + y * y; }
  q = rsqrtf(warp_sum(q) * (1.0f / N) + 1e-12f);
#pragma unroll
  for (int c = 0; c < CP; ++c)
    stg32(Y + (size_t)row * N + 2 * (lane + 32 * c),
          pack((lo(v[c]) - s) * q * lo(vg[c]) + lo(ve[c]), (hi(v[c]) - s) * q * hi(vg[c]) + hi(ve[c])));
}

DEV void elementwise(const h16* X, h16* Y, int n, int flags) {
  if (flags & 1) gdc_launch();
  if (flags & 3) gdc_wait();
  int i = BX() * 128 + TID();
  if (i * 8 < n) {
    u32 v[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) v[e] = ldg32(X + i * 8 + e * 2);
#pragma unroll
    for (int e = 0; e < 4; ++e) v[e] = pack(lo(v[e]) * 0.5f + 1.0f, hi(v[e]) * 0.5f + 1.0f);
    stg128(Y + i * 8, v[0], v[1], v[2], v[3]);
  }
}
