// What do the special-function instructions of an NVIDIA GPU give at every float32 of ten ranges?
//
// Build and run:  nvcc -O2 -arch=sm_90 sweep.cu -o sweep && ./sweep [FOLDER]
//
// Prints a line for each range: its name, how many values, and a fingerprint of their bits, the sum over all places i
// of bits(i) * (2 i + 1), modulo 2^64. With a folder it also writes the values there as plain uint32, one file a range.
// Every instruction is named in PTX, so that no compiler option changes what is measured.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum Operation { RCP, INVERSE_SQRT, SQRT, EXP2, LOG2, SIN, COS };

struct Range {
    const char *name;
    Operation operation;
    uint32_t first;
    uint32_t count;
};

static const Range RANGES[] = {
    {"rcp_3f800000", RCP, 0x3f800000u, 1u << 23},          {"inverse_sqrt_3f800000", INVERSE_SQRT, 0x3f800000u, 1u << 24},
    {"sqrt_3f800000", SQRT, 0x3f800000u, 1u << 24},        {"exp2_3f000000", EXP2, 0x3f000000u, 1u << 24},
    {"exp2_40000000", EXP2, 0x40000000u, 1u << 22},        {"exp2_bf000000", EXP2, 0xbf000000u, 1u << 23},
    {"log2_3f000000", LOG2, 0x3f000000u, 1u << 24},        {"sin_3e800000", SIN, 0x3e800000u, 6u << 23},
    {"sin_bf800000", SIN, 0xbf800000u, 1u << 22},          {"cos_3e800000", COS, 0x3e800000u, 6u << 23},
};

__device__ float apply(Operation operation, float x) {
    float y = 0.0f;
    switch (operation) {
        case RCP: asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
        case INVERSE_SQRT: asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
        case SQRT: asm volatile("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
        case EXP2: asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
        case LOG2: asm volatile("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
        case SIN: asm volatile("sin.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
        case COS: asm volatile("cos.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); break;
    }
    return y;
}

__global__ void sweep(Operation operation, uint32_t first, uint32_t count, uint32_t *results) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) results[i] = __float_as_uint(apply(operation, __uint_as_float(first + i)));
}

static void require(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "sweep: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

static void write_values(const std::string &path, const std::vector<uint32_t> &values) {
    FILE *file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(values.data(), 4, values.size(), file) != values.size() || std::fclose(file) != 0) {
        std::fprintf(stderr, "sweep: cannot write %s\n", path.c_str());
        std::exit(1);
    }
}

int main(int count, char **arguments) {
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0));
    std::printf("# %s, sm_%d%d\n", properties.name, properties.major, properties.minor);
    for (const Range &range : RANGES) {
        uint32_t *results;
        require(cudaMalloc(&results, size_t(range.count) * 4));
        sweep<<<(range.count + 255) / 256, 256>>>(range.operation, range.first, range.count, results);
        std::vector<uint32_t> values(range.count);
        require(cudaMemcpy(values.data(), results, values.size() * 4, cudaMemcpyDeviceToHost));
        require(cudaFree(results));
        uint64_t fingerprint = 0;
        for (uint64_t i = 0; i < values.size(); i++) fingerprint += values[i] * (2 * i + 1);
        std::printf("%s %u %016llx\n", range.name, range.count, (unsigned long long)fingerprint);
        if (count > 1) write_values(std::string(arguments[1]) + "/" + range.name + ".u32", values);
    }
}
